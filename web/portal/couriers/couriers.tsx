import { TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ActionButton } from '../../shared/action-button.tsx'
import type { Delivery, StaffCourierProfile } from '../../shared/api.generated.ts'
import { api } from '../../shared/api.ts'
import { Loading } from '../../shared/loading.tsx'
import { ProblemView } from '../../shared/problem-view.tsx'
import { StatusBadge } from '../../shared/status-badge.tsx'
import { formatMoment, isoDay } from '../../shared/times.ts'
import { useCouriers } from '../couriers-of.ts'
import { FieldError } from '../field-error.tsx'
import { formatPhone } from '../format-phone.ts'
import { formatWhen } from '../format-when.ts'
import { sentByButton } from '../on-submit.ts'
import { usePortal } from '../portal.ts'
import { useDay } from '../today/use-day.ts'
import { useTitle } from '../use-title.ts'

/** The store's own couriers: their current jobs, their details, and a form to add one by phone number. */
export function Couriers() {
  const { store, nowMs, may } = usePortal()
  useTitle(`Couriers, ${store.name}`)
  const { data, error, refetch } = useCouriers()
  const day = useDay(isoDay(nowMs(), store.time_zone))
  const here = data?.filter(({ store_id }) => store_id === store.id)
  const jobsOf = ({ phone }: StaffCourierProfile) =>
    day.data?.filter(
      ({ staff_courier, status }) =>
        staff_courier?.phone === phone &&
        ['requested', 'booked', 'assigned', 'approaching', 'collected'].includes(status),
    )
  return (
    <>
      <div className="head">
        <h1>Couriers</h1>
        <span className="dim">
          {store.name}’s own couriers. They log in on their phones at {location.host}/driver.
        </span>
      </div>
      {error && <ProblemView error={error} retry={refetch} />}
      {day.error && !day.data && <ProblemView error={day.error} retry={day.refetch} />}
      {!data && !error && <Loading />}
      {here?.length === 0 && (
        <div className="state">
          <h2>No couriers yet.</h2>
          <p>{may('deliveries:write') && 'Add one below. '}Couriers get jobs by SMS and only need a phone.</p>
        </div>
      )}
      <div className="two-up">
        {here?.map((courier) => (
          <CourierCard key={courier.id} courier={courier} jobs={jobsOf(courier)} />
        ))}
        {may('deliveries:write') && <AddCourier />}
      </div>
    </>
  )
}

type CourierCardProps = {
  courier: StaffCourierProfile
  /** Absent until they are known. */
  jobs: readonly Delivery[] | undefined
}

function CourierCard({ courier, jobs }: CourierCardProps) {
  const { tenantId, store, nowMs, may } = usePortal()
  const queries = useQueryClient()
  const { mutate, error, isPending } = useMutation({
    mutationFn: (active: boolean) =>
      api.PATCH('/{tenant_id}/staff-couriers/{courier_id}', {
        params: { path: { tenant_id: tenantId, courier_id: courier.id } },
        body: { active },
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['couriers', tenantId] }),
  })
  const { driver_name, phone, active, last_seen_at } = courier
  const zone = store.time_zone
  return (
    <section className="sheet pad" aria-label={driver_name}>
      <h2>
        {driver_name}
        {!active && <span className="dim">, switched off</span>}
      </h2>
      <p className="dim">
        <a href={`tel:${phone}`}>{formatPhone(phone)}</a>,{' '}
        {last_seen_at
          ? `last seen ${formatMoment(Date.parse(last_seen_at), zone, nowMs())}`
          : 'hasn’t used the app yet'}
      </p>
      {jobs?.length === 0 && <p>No jobs right now.</p>}
      {jobs && jobs.length > 0 && (
        <ul className="jobs">
          {jobs.map((job) => (
            <li key={job.id}>
              <StatusBadge status={job.status} />
              <Link to="/deliveries/$deliveryId" params={{ deliveryId: job.id }}>
                {job.reference}
              </Link>
              <span>{job.address.city}</span>
              <span className="dim">{formatWhen(job, zone, nowMs())}</span>
            </li>
          ))}
        </ul>
      )}
      {may('deliveries:write') && (
        <div className="row-of-buttons">
          <ActionButton
            type="button"
            className="b s"
            busy={isPending}
            aria-label={`${active ? 'Switch off' : 'Switch on'} ${driver_name}`}
            onClick={() => mutate(!active)}
          >
            {active ? 'Switch off' : 'Switch on'}
          </ActionButton>
        </div>
      )}
      <FieldError error={error} />
    </section>
  )
}

function AddCourier() {
  const { tenantId, store } = usePortal()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [phone, setPhone] = useState('')
  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      api.POST('/{tenant_id}/staff-couriers', {
        params: { path: { tenant_id: tenantId } },
        body: { store_reference: store.reference, driver_name: name, phone },
      }),
    onSuccess: () => {
      setName('')
      setPhone('')
      return queries.invalidateQueries({ queryKey: ['couriers', tenantId] })
    },
  })
  const sending = sentByButton(() => mutate())
  return (
    <section className="sheet pad" aria-labelledby="add-courier">
      <h2 id="add-courier">Add a courier</h2>
      <form {...sending} className="fields">
        <TextInput
          label="Name"
          required
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label="Mobile number"
          type="tel"
          required
          value={phone}
          onChange={(event) => setPhone(event.currentTarget.value)}
        />
        <FieldError error={error} />
        <ActionButton type="submit" className="b ink" busy={isPending}>
          Add
        </ActionButton>
      </form>
    </section>
  )
}
