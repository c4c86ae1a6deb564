/** Words in an error that leave the outcome unknown, and what the carrier means by them. */
type FailureWords = { words: RegExp; says: string }

/**
 * Words of a time-out or of a failure inside the carrier. The carrier may have made the booking before it
 * sent them, so they leave the outcome unknown at any HTTP status. Sources: Uber's OpenAPI (`request_timeout`
 * with 400), Australia Post's error table (`ESB-20010` "System Error"), DoorDash's SDK (`service_fault`),
 * Aramex's wiki (`GEN`), gRPC's status codes. Texts are compared in lower case, with `_`, `-` and camel case
 * as spaces.
 */
export const UNKNOWN_OUTCOME_WORDS: readonly FailureWords[] = [
  { words: /\b(time ?outs?|timed ?out)\b(?! of)/, says: 'it stopped waiting' },
  { words: /^(context )?deadline exceeded\b|\b(took|taking) too long\b/, says: 'it stopped waiting' },
  { words: /\b(not respond|no response) (in time|within)\b/, says: 'a system behind it did not answer' },
  {
    words:
      /\binternal( (server|service|system|technical|application|processing|unexpected))* ?(error|fault|failure|exception|problem)\b/,
    says: 'it failed inside',
  },
  {
    words:
      /\b(system|server|service|technical|application|backend|database|platform) (error|fault|failure)\b/,
    says: 'it failed inside',
  },
  {
    words:
      /\b(general|unknown|unexpected|unspecified|unhandled|fatal) (system |server |internal )?(error|failure|exception|problem)\b/,
    says: 'it does not know itself what failed',
  },
  {
    words:
      /\b(something (went|has gone) wrong|experienced a problem|error (has )?occurred while processing)\b/,
    says: 'it does not know itself what failed',
  },
  {
    // Only as the end of the sentence: "unavailable in this area" is about the job.
    words: /\b(service|server|system|api) (is |was )?((currently|temporarily) )?unavailable\W*$/,
    says: 'a system behind it is down',
  },
  {
    words: /\b(bad gateway|gateway (error|failure)|upstream (error|failure|request failed))\b/,
    says: 'a system behind it is down',
  },
  {
    words: /\b(connection (was )?(reset|lost|closed|aborted)|deadlock( found| detected)?|lock wait)\b/,
    says: 'it lost its own connection',
  },
]

/** The table entry that leaves an outcome unknown; null if no text matches. */
export function findUnknownOutcome(texts: readonly (string | undefined)[]): FailureWords | null {
  const plain = texts.flatMap((text) => (text ? [inPlainWords(text)] : []))
  return UNKNOWN_OUTCOME_WORDS.find(({ words }) => plain.some((text) => words.test(text))) ?? null
}

function inPlainWords(text: string): string {
  return text
    .slice(0, LONGEST_READ)
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(/[_\-\s]+/g, ' ')
    .trim()
}

/** Characters. The rest is ignored: a message may hold a whole HTML page. */
const LONGEST_READ = 2_000
