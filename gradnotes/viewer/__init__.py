"""Draw a recorded backward pass: the graph, its rules, and its steps."""
