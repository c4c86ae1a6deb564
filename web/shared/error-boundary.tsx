import { Component, type ReactNode } from 'react'

/** The error boundary of a whole app: shows a message where React would leave a blank page. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false }

  static getDerivedStateFromError() {
    return { broken: true }
  }

  override render() {
    if (!this.state.broken) return this.props.children
    return (
      <main className="alone">
        <BrokenPage />
      </main>
    )
  }
}

/** A bug of ours, or a part of the app that could not be loaded. */
export function BrokenPage() {
  return (
    <div role="alert">
      <h1>We couldn’t show this page.</h1>
      <p>Nothing you’ve saved is lost. Reload the page, then check what was saved before you try again.</p>
      <button type="button" className="b" onClick={() => location.reload()}>
        Reload the page
      </button>
    </div>
  )
}
