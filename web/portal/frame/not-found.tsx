import { Link } from '@tanstack/react-router'

export function NotFound() {
  return (
    <main className="alone">
      <h1>There is no such page.</h1>
      <p>The address may have been cut short.</p>
      <Link to="/today" className="b">
        Go to Today
      </Link>
    </main>
  )
}
