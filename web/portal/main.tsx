import { startApp } from '../shared/start-app.tsx'
import { StatusBadge } from '../shared/status-badge.tsx'

startApp(
  <main>
    <h1>Drover</h1>
    <StatusBadge status="booked" />
  </main>,
)
