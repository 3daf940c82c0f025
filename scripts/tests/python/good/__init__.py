from .program import begun
