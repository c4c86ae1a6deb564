import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionButton } from '../../shared/action-button.tsx'
import type { AssistantAuthorization, AssistantAuthorizationAnswer } from '../../shared/api.generated.ts'
import { api } from '../../shared/api.ts'
import { Loading } from '../../shared/loading.tsx'
import { toProblem } from '../../shared/problem.ts'
import { ProblemView } from '../../shared/problem-view.tsx'
import { useOwnCredentials } from '../account/own-credentials.tsx'
import { FieldError } from '../field-error.tsx'
import { fieldProblems } from '../field-problems.ts'
import { onSubmit } from '../on-submit.ts'
import { usePortal } from '../portal.ts'
import { useTitle } from '../use-title.ts'
import { ACCESS_TEXTS, type AssistantAccess } from './access-texts.ts'
import './assistants.css'

type Request = Omit<AssistantAuthorization, 'access' | 'password' | 'code'>

/** Parameters that we do not know are ignored (RFC 6749, 3.1). */
const PARAMETERS = [
  'response_type',
  'client_id',
  'redirect_uri',
  'code_challenge',
  'code_challenge_method',
  'scope',
  'state',
  'resource',
] as const

/** The request in the page's address; the server checks it. */
function readRequest(): Request {
  const { pathname, search } = window.location
  const asked = new URLSearchParams(search)
  const sent = PARAMETERS.flatMap((name) => {
    const value = asked.get(name)
    return value === null ? [] : [[name, value]]
  })
  const tenant_id = decodeURIComponent(pathname.split('/').at(-1) ?? '')
  return { tenant_id, ...Object.fromEntries(sent) } as Request
}

/** An assistant sends the browser here: the user allows it to act in their name, or refuses. */
export function ConnectAssistant() {
  useTitle('Connect an assistant')
  const [request] = useState(readRequest)
  const { data, error, refetch } = useQuery({
    queryKey: ['assistant-request', request],
    queryFn: async () => (await api.GET('/session/assistants/request', { params: { query: request } })).data,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return (
    <main className="alone">
      {data && <Decision request={request} shown={data} />}
      {!data && !error && <Loading />}
      {!data &&
        error &&
        (isWrong(error) ? <Wrong error={error} /> : <ProblemView error={error} retry={refetch} />)}
    </main>
  )
}

/** The request itself is wrong, so trying again does not help. */
function isWrong(error: unknown): boolean {
  return [404, 422].includes(toProblem(error).status)
}

/**
 * The user cannot fix the request. The page does not redirect, because the redirect URL may be an attacker's (RFC 9700,
 * 4.11).
 */
function Wrong({ error }: { error: unknown }) {
  const { code, errors, message } = toProblem(error)
  const ofAddress = errors.find(({ field }) => field === 'redirect_uri')
  return (
    <>
      <h1>We can’t connect this assistant</h1>
      <p role="alert">
        {code === 'not_found'
          ? message
          : (ofAddress?.message ??
            'The assistant sent us a request that we don’t understand. Start again from the assistant. If that doesn’t help, contact the assistant’s support team.')}
      </p>
      <p className="dim">We didn’t give the assistant any access. You can close this page.</p>
    </>
  )
}

type Shown = AssistantAuthorizationAnswer['data']

function Decision({ request, shown }: { request: Request; shown: Shown }) {
  const { session } = usePortal()
  const { assistant, account_name, redirect_host, access: most, denial_url } = shown
  const [access, setAccess] = useState<AssistantAccess>('read')
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: async () => {
      const body = { ...request, access, ...own.typed }
      return (await api.POST('/session/assistants', { body })).data
    },
    onSuccess: ({ redirect_url }) => window.location.assign(redirect_url),
  })
  const problems = fieldProblems(error, ['password', 'code'])
  const own = useOwnCredentials(problems)
  const choices: readonly AssistantAccess[] = most === 'write' ? ['read', 'write'] : ['read']
  return (
    <>
      <h1>Let {assistant.name} use Drover for you?</h1>
      <dl className="assistant-facts">
        <dt>Account</dt>
        <dd>{account_name}</dd>
        <dt>You</dt>
        <dd>{session.user.name ?? session.user.email}</dd>
        <dt>Access goes to</dt>
        <dd>
          <b>{redirect_host}</b>
        </dd>
      </dl>
      <form onSubmit={onSubmit(() => mutate())} className="fields">
        <fieldset className="assistant-access">
          <legend className="field-label">What may {assistant.name} do?</legend>
          {choices.map((one) => (
            <label key={one}>
              <input type="radio" name="access" checked={access === one} onChange={() => setAccess(one)} />
              <span>
                <b>{ACCESS_TEXTS[one].title}</b>
                <span className="dim">{ACCESS_TEXTS[one].text}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <p className="dim">
          {assistant.name} will see what you see, including customers’ names and addresses. Allow this only if
          you’ve just started it yourself from the assistant. You can end the assistant’s access at any time
          under Your account.
        </p>
        {own.fields}
        <FieldError error={problems.rest} />
        <div className="row-of-buttons">
          <ActionButton type="submit" className="b ink" busy={isPending || isSuccess}>
            Allow
          </ActionButton>
          <button type="button" className="b" onClick={() => window.location.assign(denial_url)}>
            Don’t allow
          </button>
        </div>
      </form>
    </>
  )
}
