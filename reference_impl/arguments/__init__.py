"""Report in torch's words what torch does not accept: wrong arguments, and names that are absent here."""
