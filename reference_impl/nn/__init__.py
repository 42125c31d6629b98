"""Neural networks: modules, functions, initialisation."""
