import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Problem } from './problem.ts'
import { pauseMs, shouldRetry } from './retry.ts'
import './style.css'
import { ErrorBoundary } from './error-boundary.tsx'
import { theme } from './theme.ts'

export const SCHEME_KEY = 'drover-scheme'

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: shouldRetry,
      retryDelay: (failures, error) => pauseMs(failures, error),
      // Browsers guess whether they are offline: a request then fails at once instead of waiting.
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    // A user's action runs now or not at all, and never later without the user's knowledge.
    mutations: { networkMode: 'always' },
  },
})

/** An error that the page shows is not a bug of the page. */
function onCaughtError(error: unknown): void {
  if (!(error instanceof Problem)) reportError(error)
}

/** Mounts an app on its page, in the reader's colour scheme. */
export function startApp(app: ReactNode): void {
  createRoot(document.getElementById('root') as HTMLElement, { onCaughtError }).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        defaultColorScheme="auto"
        colorSchemeManager={localStorageColorSchemeManager({ key: SCHEME_KEY })}
        withCssVariables={false}
        withGlobalClasses={false}
      >
        <QueryClientProvider client={queries}>
          <ErrorBoundary>{app}</ErrorBoundary>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  )
}
