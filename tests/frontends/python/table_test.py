from ciber.table import are_column_names, are_plain_words, csv_text, number_cells


def test_cells_are_quoted_and_quotes_doubled():
    assert csv_text(["a b", 'c"'], [["1", "2"], ["x,y", ""]]) == '"a b","c"""\n"1","x,y"\n"2",""\n'


def test_numbers_are_read_back_as_they_were():
    numbers = [0.1, 1 / 3, -1e-300, 5.0, 2.0**60]
    assert [float(cell) for cell in number_cells(numbers)] == numbers


def test_words_for_missing_values_are_no_plain_words():
    assert are_plain_words(["red", " blue ", "1"])
    for word in ("", "NaN", "none", "?", "a\0b", "\ud800"):
        assert not are_plain_words(["red", word])


def test_names_that_a_header_cannot_have_are_recognised():
    assert are_column_names(["area", "year built"])
    for names in (["a", "a"], ["a", "1e3"], ["a", ""], ["a", "b,c"], [" a"], ["a\0"]):
        assert not are_column_names(names)
