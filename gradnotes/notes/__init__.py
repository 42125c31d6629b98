"""The five notes: their passages, the ideas in them, the corrections, and the Chinese of both."""
