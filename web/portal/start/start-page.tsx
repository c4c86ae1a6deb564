import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ActionButton } from '../../shared/action-button.tsx'
import { count } from '../../shared/count.ts'
import { Icon } from '../../shared/icon.tsx'
import { Loading } from '../../shared/loading.tsx'
import { FieldError } from '../field-error.tsx'
import { GuideLink } from '../guide-link.tsx'
import { usePortal } from '../portal.ts'
import { useTitle } from '../use-title.ts'
import { makeDemoDay } from './demo-day.ts'
import { endStart, useStartOver } from './start-over.ts'
import { STEPS, type Step, useSteps } from './use-steps.ts'
import './start.css'

type Text = { title: string; why: string; to: string; button: string; guide?: Guide; needs?: Step }
type Guide = readonly [path: string, title: string]

const TEXTS: Readonly<Record<Step, Text>> = {
  store: {
    title: 'Add a store',
    why: 'We need the store’s address and opening hours to know where and when carriers can collect.',
    to: '/settings/stores',
    button: 'Go to Stores',
    guide: ['portal#a-new-account', 'A new account'],
  },
  carrier: {
    title: 'Add a carrier',
    why: 'Choose a carrier that you have an account with. In a sandbox account, you can also choose a practice carrier.',
    to: '/settings/carriers',
    button: 'Go to Carriers',
    guide: ['real-carriers#in-the-portal', 'Real carriers'],
  },
  delivery: {
    title: 'Create a test delivery',
    why: 'Enter an order and choose how to send it. We’ll show you what each carrier would charge and when the order would arrive.',
    to: '/new',
    button: 'Create a delivery',
    needs: 'store',
  },
  label: {
    title: 'Print a label',
    why: 'Open the delivery and choose Print label.',
    to: '/deliveries',
    button: 'Go to Deliveries',
    needs: 'delivery',
  },
  shop: {
    title: 'Connect your online shop',
    why: 'Your online shop needs an API client to send us orders. This step is done once the shop has used the client.',
    to: '/account/clients',
    button: 'Go to API clients',
    guide: ['webhooks', 'Events and webhooks'],
  },
}

/** The first five steps of a new account. Each ticks itself once the account's data shows that it is done. */
export function StartPage() {
  const { tenantId, stores } = usePortal()
  useTitle('Getting started')
  const { done } = useSteps()
  const isOver = useStartOver(tenantId)
  if (!done) return <Loading lines={[30, 80, 70, 76]} />
  const left = STEPS.filter((step) => !done[step])
  return (
    <>
      <div className="head">
        <h1>Getting started</h1>
        <span className="dim" role="status">
          {left.length === 0 ? 'All done. Your account is ready.' : `${count(left.length, 'step')} to go.`}
        </span>
        <span className="right">
          {!isOver && left.length > 0 && stores.length > 0 && (
            <button type="button" className="b s" onClick={() => endStart(tenantId)}>
              Hide from the menu
            </button>
          )}
        </span>
      </div>
      <ol className="sheet start-steps">
        {STEPS.map((step) => (
          <StepRow key={step} step={step} done={done} isNext={step === left[0]} />
        ))}
      </ol>
      {done.store && done.carrier && <DemoDay />}
    </>
  )
}

type StepRowProps = { step: Step; done: Readonly<Record<Step, boolean>>; isNext: boolean }

function StepRow({ step, done, isNext }: StepRowProps) {
  const { title, why, to, button, guide, needs } = TEXTS[step]
  const isOpen = needs === undefined || done[needs]
  return (
    <li aria-label={`${title}: ${done[step] ? 'done' : 'not done yet'}`}>
      <span className={done[step] ? 'start-mark done' : 'start-mark'}>
        {done[step] && <Icon name="tick" size={18} />}
      </span>
      <div>
        <h2>{title}</h2>
        <p className="dim">
          {why}{' '}
          {step === 'shop' && (
            <a href="/docs" target="_blank" rel="noreferrer">
              API reference
            </a>
          )}
          {step === 'shop' && ', '}
          {guide && <GuideLink path={guide[0]}>{`Guide: ${guide[1]}`}</GuideLink>}
        </p>
      </div>
      {isOpen ? (
        <Link to={to} className={isNext ? 'b next' : 'b'}>
          {button}
        </Link>
      ) : (
        <span className="dim">First: {TEXTS[needs].title.toLowerCase()}</span>
      )}
    </li>
  )
}

/** Only for sandbox accounts: a morning's work to try things with. */
function DemoDay() {
  const { tenantId, store, nowMs } = usePortal()
  const queries = useQueryClient()
  const fill = useMutation({
    mutationFn: () => makeDemoDay(tenantId, store, nowMs()),
    onSettled: () => queries.invalidateQueries(),
  })
  if (store.account_mode !== 'sandbox') return null
  return (
    <section className="sheet pad start-demo" aria-labelledby="demo-day">
      <h2 id="demo-day">Demo day</h2>
      <p>
        Add ten made-up orders to {store.name} and book six of them. Practice carriers won’t actually collect
        anything.
      </p>
      <div className="row-of-buttons">
        <ActionButton type="button" className="b" busy={fill.isPending} onClick={() => fill.mutate()}>
          Add demo orders
        </ActionButton>
        {fill.data !== undefined && (
          <span role="status">
            {fill.data === 0
              ? 'You already have all the demo orders. '
              : `${count(fill.data, 'order')} added. `}
            <Link to="/today">Go to Today</Link>
          </span>
        )}
      </div>
      <FieldError error={fill.error} />
    </section>
  )
}
