/** A prompt that a person picks in their assistant. It only names tools: the token still needs the scope of each. */
type Prompt = {
  name: string
  title: string
  description: string
  arguments: readonly { name: string; description: string; required: boolean }[]
  text(given: Readonly<Record<string, string>>): string
}

const required = (name: string, description: string) => ({ name, description, required: true })

const PROMPTS: readonly Prompt[] = [
  {
    name: 'morning_round',
    title: 'Morning round at a store',
    description: 'What needs a person’s attention at a store this morning.',
    arguments: [required('store', 'The reference of the store.')],
    text: ({ store }) =>
      `Call exceptions_today with store_reference ${store}, then day_of_store for the same store. List what needs a person, most urgent first, with the next step of each in one sentence. Give each carrier’s next cut-off. If nothing needs a person, say so.`,
  },
  {
    name: 'why_this_price',
    title: 'Why a delivery costs what it costs',
    description: 'Explains the price of one delivery.',
    arguments: [required('reference', 'The reference or id of the delivery.')],
    text: ({ reference }) =>
      `Call explain_decision for the delivery ${reference}. Say which service was chosen and what makes up its price. Name each cheaper service and the rule that excluded it. End with what would have made it cheaper.`,
  },
  {
    name: 'carrier_is_down',
    title: 'A carrier is not answering',
    description: 'What a carrier’s outage means for today.',
    arguments: [required('provider', 'The carrier’s key.')],
    text: ({ provider }) =>
      `Call carrier_status for ${provider}. List the deliveries that it has not collected, by store. For the five with the earliest windows, call compare_options with exclude_current_carrier and say what reassigning would cost. Change nothing.`,
  },
  {
    name: 'explain_week',
    title: 'Explain a period',
    description: 'Cost and timeliness of a period, compared with the period before.',
    arguments: [
      required('from', 'The first day, such as 2026-11-16.'),
      required('to', 'The last day, inclusive.'),
    ],
    text: ({ from, to }) =>
      `Call insights from ${from} to ${to}. Compare cost and timeliness with the period before, by service and by store. Name the three changes that matter most, each with its figures, and the rule whose exclusions cost most.`,
  },
]

export function listPrompts() {
  return PROMPTS.map(({ text: _, ...prompt }) => ({ ...prompt, arguments: [...prompt.arguments] }))
}

/** The prompt's text, or what is wrong with its arguments; null if there is no such prompt. */
export function getPrompt(
  name: string,
  given: Readonly<Record<string, string>>,
): { description: string; text: string } | { mistake: string } | null {
  const prompt = PROMPTS.find((one) => one.name === name)
  if (!prompt) return null
  const missing = prompt.arguments.find((one) => !ARGUMENT.test(given[one.name] ?? ''))
  if (missing)
    return { mistake: `${missing.name} must be one line of 1 to 100 characters. ${missing.description}` }
  const quoted = prompt.arguments.map((one) => [one.name, JSON.stringify(given[one.name])] as const)
  return { description: prompt.description, text: prompt.text(Object.fromEntries(quoted)) }
}

const ARGUMENT = /^[^\p{Cc}\u2028\u2029]{1,100}$/u
