"""Write error messages: torch's own for arguments that torch rejects, and the engine's for names that only torch has."""
