import { Component, type ReactNode } from 'react'

/** Stands around a whole app: what cannot be drawn is said, where React would leave a blank page. */
export class WholePage extends Component<{ children: ReactNode }, { broken: boolean }> {
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

/** A fault of ours, or a part of the app that did not come. */
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
