export type Sent = { url: string; method: string; headers: Record<string, string>; body: string | undefined }
export type FakeFetch = typeof fetch & { sent: Sent[] }

/** A `fetch` that gives these answers in order, the last one for ever. An error is thrown. */
export function fakeFetch(...answers: (Response | Error)[]): FakeFetch {
  const sent: Sent[] = []
  const fake = async (url: string, init: RequestInit): Promise<Response> => {
    sent.push({
      url,
      method: init.method ?? 'GET',
      headers: init.headers as Record<string, string>,
      body: init.body as string | undefined,
    })
    const answer = answers[Math.min(sent.length, answers.length) - 1] as Response | Error
    if (answer instanceof Error) throw answer
    return answer.clone()
  }
  return Object.assign(fake as typeof fetch, { sent })
}

export function json(status: number, body: object, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers })
}

export function problem(status: number, code: string, headers: Record<string, string> = {}): Response {
  return json(
    status,
    { type: `urn:drover:error:${code}`, title: code, status, detail: `It was ${code}.`, code },
    headers,
  )
}
