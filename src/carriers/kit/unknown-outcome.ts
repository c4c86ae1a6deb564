/** Words in an error after which the outcome is unknown, and what the carrier means by them. */
type FailureWords = { words: RegExp; says: string }

/**
 * Words of a time-out or of a failure inside the carrier. A carrier can make the booking and say them all the same, so
 * they leave the outcome unknown, whatever the HTTP status. Sources: Uber's OpenAPI (`request_timeout` with 400),
 * Australia Post's error table (`ESB-20010` "System Error"), DoorDash's SDK (`service_fault`), Aramex's wiki (`GEN`),
 * gRPC's status codes. The words are compared in lower case, with `_`, `-` and camel case as spaces.
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

/** The line of the table that leaves an outcome unknown; null where the texts say nothing of the kind. */
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

/** Characters: a page that somebody put into a message is not searched whole. */
const LONGEST_READ = 2_000
