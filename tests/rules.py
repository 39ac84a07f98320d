"""The marker that ties a test to the requirement or reading it proves."""

import pytest

rule = pytest.mark.rule
