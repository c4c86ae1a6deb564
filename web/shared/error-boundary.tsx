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
      <h1>This page did not come whole.</h1>
      <p>Nothing that you did before is lost. Look how it stands before you do anything again.</p>
      <button type="button" className="b" onClick={() => location.reload()}>
        Load it again
      </button>
    </div>
  )
}
