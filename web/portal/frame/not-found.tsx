import { Link } from '@tanstack/react-router'

export function NotFound() {
  return (
    <main className="alone">
      <h1>We can’t find this page.</h1>
      <p>Check that the address is complete.</p>
      <Link to="/today" className="b">
        Go to Today
      </Link>
    </main>
  )
}
