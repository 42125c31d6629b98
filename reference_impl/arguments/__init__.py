"""What PyTorch accepts: signatures of its functions, and names that are absent here."""
