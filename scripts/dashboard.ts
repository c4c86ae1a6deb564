/** A panel: its title, its unit, and its series, `legend → PromQL`. */
type Panel = {
  title: string
  unit: 'short' | 's' | 'reqps' | 'percentunit' | 'bytes'
  lines: Record<string, string>
}

/**
 * The dashboard, one row of panels each: first whether deliveries are on time, then where work is stuck, then
 * why.
 */
const ROWS: readonly { title: string; panels: readonly Panel[] }[] = [
  {
    title: 'Are deliveries on time?',
    panels: [
      panel('Delivered in the last hour', 'short', {
        '{{timeliness}}': 'max by (timeliness) (drover_deliveries_delivered_last_hour{mode="$mode"})',
      }),
      panel('Open, past the end of their window', 'short', {
        late: 'max(drover_deliveries_open{mode="$mode", status="late"})',
      }),
      panel('Open, by status', 'short', {
        '{{status}}': 'max by (status) (drover_deliveries_open{mode="$mode", status!="late"})',
      }),
    ],
  },
  {
    title: 'Where is work stuck?',
    panels: [
      panel('Longest overdue', 's', {
        '{{source}}': 'max by (source) (drover_work_due_oldest_seconds{mode="$mode"})',
      }),
      panel('Due and not leased', 'short', {
        '{{source}}': 'max by (source) (drover_work_due{mode="$mode"})',
      }),
      panel('In flight', 'short', { '{{source}}': 'sum by (source) (drover_work_in_flight)' }),
      panel('Waiting for a person', 'short', {
        'on hold': 'max(drover_deliveries_open{mode="$mode", status="on_hold"})',
        'dead-lettered {{source}}': 'max by (source) (drover_work_dead_lettered{mode="$mode"})',
      }),
      panel('Bookings with an unknown outcome', 'short', {
        '{{state}}': 'max by (state) (drover_bookings_outcome_unknown{mode="$mode"})',
      }),
      panel('Oldest unknown outcome', 's', {
        '{{state}}': 'max by (state) (drover_bookings_outcome_unknown_oldest_seconds{mode="$mode"})',
      }),
    ],
  },
  {
    title: 'Carriers, messages and webhooks',
    panels: [
      panel('Carrier calls, by result', 'reqps', {
        '{{provider}} {{result}}':
          'sum by (provider, result) (rate(drover_carrier_call_duration_seconds_count[5m]))',
      }),
      panel('Carrier call duration, 99th percentile', 's', {
        '{{provider}}':
          'histogram_quantile(0.99, sum by (provider, le) (rate(drover_carrier_call_duration_seconds_bucket[5m])))',
      }),
      panel('Open circuit breakers', 'short', {
        '{{adapter}}': 'max by (adapter) (drover_carrier_circuit_breakers_open)',
      }),
      panel('Messages', 'reqps', {
        '{{kind}} {{outcome}}': 'sum by (kind, outcome) (rate(drover_messages_total[5m]))',
      }),
      panel('Webhook attempts', 'reqps', {
        '{{outcome}}': 'sum by (outcome) (rate(drover_webhook_attempts_total[5m]))',
      }),
      panel('Webhook endpoints and their backlog', 'short', {
        '{{state}}': 'max by (state) (drover_webhook_endpoints{mode="$mode"})',
        backlog: 'max(drover_webhook_backlog{mode="$mode"})',
      }),
      panel('Age of the oldest unpublished event', 's', {
        age: 'max(drover_events_unpublished_oldest_seconds{mode="$mode"})',
      }),
      panel('Accounts at their daily SMS limit', 'short', {
        '{{state}}': 'max by (state) (drover_sms_accounts{mode="$mode"})',
      }),
    ],
  },
  {
    title: 'Requests and processes',
    panels: [
      panel('Requests, by status', 'reqps', {
        '{{status}}': 'sum by (status) (rate(drover_http_request_duration_seconds_count[1m]))',
      }),
      panel('Request duration, 99th percentile', 's', {
        '{{route}}':
          'histogram_quantile(0.99, sum by (route, le) (rate(drover_http_request_duration_seconds_bucket[5m])))',
      }),
      panel('Shed requests', 'reqps', {
        '{{route}}': 'sum by (route) (rate(drover_http_shed_total[1m]))',
      }),
      panel('In flight and aborted', 'short', {
        'in flight': 'sum(drover_http_in_flight)',
        aborted: 'sum(rate(drover_http_aborted_total[5m]))',
      }),
      panel('CPU, cores', 'short', { '{{instance}}': 'rate(process_cpu_seconds_total{job="drover"}[1m])' }),
      panel('Memory', 'bytes', { '{{instance}}': 'process_resident_memory_bytes{job="drover"}' }),
      panel('Event loop lag, 99th percentile', 's', {
        '{{instance}}': 'nodejs_eventloop_lag_p99_seconds{job="drover"}',
      }),
      panel('Free disk space', 'bytes', {
        '{{instance}} {{volume}}': 'drover_disk_free_bytes',
      }),
      panel('Connections to the database', 'short', {
        '{{instance}} {{state}}': 'drover_database_connections',
        reachable: 'max(drover_database_reachable)',
      }),
      panel('Statements', 'reqps', {
        '{{statement}}': 'topk(10, sum by (statement) (rate(drover_database_statements_total[1m])))',
      }),
    ],
  },
]

const WIDTH = 8
const HEIGHT = 8
const PER_LINE = 24 / WIDTH

/** The dashboard as Grafana reads it (schema 39: Grafana 10.4 and newer). */
export function dashboardText(): string {
  let y = 0
  let id = 0
  const panels = ROWS.flatMap(({ title, panels }) => {
    const row = { id: ++id, type: 'row', title, collapsed: false, panels: [], gridPos: box(0, y++, 24, 1) }
    const placed = panels.map((one, index) => {
      const at = box((index % PER_LINE) * WIDTH, y + Math.floor(index / PER_LINE) * HEIGHT, WIDTH, HEIGHT)
      return { id: ++id, ...drawn(one), gridPos: at }
    })
    y += Math.ceil(panels.length / PER_LINE) * HEIGHT
    return [row, ...placed]
  })
  const dashboard = {
    __comment: 'Generated by scripts/build-dashboard.ts; do not edit.',
    uid: 'drover',
    title: 'Drover',
    schemaVersion: 39,
    editable: false,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: {
      list: [
        { name: 'source', label: 'Prometheus', type: 'datasource', query: 'prometheus' },
        { name: 'mode', label: 'Accounts', type: 'custom', query: 'live,sandbox' },
      ],
    },
    panels,
  }
  return `${JSON.stringify(dashboard, null, 2)}\n`
}

function panel(title: string, unit: Panel['unit'], lines: Panel['lines']): Panel {
  return { title, unit, lines }
}

function drawn({ title, unit, lines }: Panel) {
  const datasource = { type: 'prometheus', uid: '$' + '{source}' }
  const targets = Object.entries(lines).map(([legendFormat, expr], index) => ({
    refId: String.fromCharCode(65 + index),
    datasource,
    expr,
    legendFormat,
  }))
  return {
    type: 'timeseries',
    title,
    datasource,
    targets,
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
  }
}

function box(x: number, y: number, w: number, h: number) {
  return { x, y, w, h }
}
