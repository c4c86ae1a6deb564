/** Error messages that leave the outcome unknown, and their meanings. */
type FailurePattern = { pattern: RegExp; meaning: string }

/**
 * Words of a time-out or of a failure inside the carrier. The carrier may have made the booking before it
 * sent them, so they leave the outcome unknown at any HTTP status. Sources: Uber's OpenAPI (`request_timeout`
 * with 400), Australia Post's error table (`ESB-20010` "System Error"), DoorDash's SDK (`service_fault`),
 * Aramex's wiki (`GEN`), gRPC's status codes. Texts are compared in lower case, with `_`, `-` and camel case
 * as spaces.
 */
export const UNKNOWN_OUTCOME_PATTERNS: readonly FailurePattern[] = [
  { pattern: /\b(time ?outs?|timed ?out)\b(?! of)/, meaning: 'a time-out' },
  { pattern: /^(context )?deadline exceeded\b|\b(took|taking) too long\b/, meaning: 'a time-out' },
  { pattern: /\b(not respond|no response) (in time|within)\b/, meaning: 'a time-out of a system behind it' },
  {
    pattern:
      /\binternal( (server|service|system|technical|application|processing|unexpected))* ?(error|fault|failure|exception|problem)\b/,
    meaning: 'an internal error',
  },
  {
    pattern:
      /\b(system|server|service|technical|application|backend|database|platform) (error|fault|failure)\b/,
    meaning: 'an internal error',
  },
  {
    pattern:
      /\b(general|unknown|unexpected|unspecified|unhandled|fatal) (system |server |internal )?(error|failure|exception|problem)\b/,
    meaning: 'an unspecified error',
  },
  {
    pattern:
      /\b(something (went|has gone) wrong|experienced a problem|error (has )?occurred while processing)\b/,
    meaning: 'an unspecified error',
  },
  {
    // Only as the end of the sentence: "unavailable in this area" is about the job.
    pattern: /\b(service|server|system|api) (is |was )?((currently|temporarily) )?unavailable\W*$/,
    meaning: 'a system behind it is down',
  },
  {
    pattern: /\b(bad gateway|gateway (error|failure)|upstream (error|failure|request failed))\b/,
    meaning: 'a system behind it is down',
  },
  {
    pattern: /\b(connection (was )?(reset|lost|closed|aborted)|deadlock( found| detected)?|lock wait)\b/,
    meaning: 'a lost connection behind it',
  },
]

/** The table entry that leaves an outcome unknown; null if no text matches. */
export function findUnknownOutcome(texts: readonly (string | undefined)[]): FailurePattern | null {
  const plain = texts.flatMap((text) => (text ? [normalise(text)] : []))
  return UNKNOWN_OUTCOME_PATTERNS.find(({ pattern }) => plain.some((text) => pattern.test(text))) ?? null
}

function normalise(text: string): string {
  return text
    .slice(0, MAX_READ)
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(/[_\-\s]+/g, ' ')
    .trim()
}

/** Characters. The rest is ignored: a message may hold a whole HTML page. */
const MAX_READ = 2_000
