/**
 * Matches text without control characters; line breaks and tabs are allowed. A character class, because an
 * alternation would put a megabyte on the regex engine's stack.
 */
export const NO_CONTROLS = new RegExp(
  `^[^${['\\x00-\\x08', '\\x0B\\x0C', '\\x0E-\\x1F', '\\x7F-\\x9F'].join('')}]*$`,
  'u',
)
