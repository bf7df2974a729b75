"""What can go wrong: one line that says what, and what would help."""


class Error(ValueError):
    """A problem, a question or a file that the engine refuses."""


class GaveUp(Error):
    """No answer was found, although the question is valid: a method or a limit was reached."""


class Rejected(Error):
    """A certificate does not prove its answers."""


class ModelWarning(UserWarning):
    """A problem that is answered but probably does not say what was meant."""
