-- A text as a search compares it: without accents, case, apostrophes, hyphens and blanks. Texts of ASCII alone, nearly all, skip the decomposition.
create or replace function search_key(given text) returns text language sql immutable strict parallel safe as $$
  select case when octet_length(given) = char_length(given)
    then translate(lower(given), E' \t\n\r''`"-./,', '')
    else translate(
      lower(replace(replace(replace(regexp_replace(normalize(given, nfkd), '[\u0300-\u036f]', '', 'g'),
        'ß', 'ss'), 'æ', 'ae'), 'Æ', 'ae')),
      E'øØłŁđĐıð \t\n\r''`"-./,\u00a0\u00ad\u00b4\u02b9\u02bb\u02bc\u2010\u2011\u2012\u2013\u2014\u2018\u2019\u201b\u2032\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\ufe0e\ufe0f',
      'oolldd' || 'id')
  end
$$;
