"""What the tools found, as text, JSON or HTML."""
