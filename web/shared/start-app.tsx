import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { isAskedAgain, pauseMs } from './asked-again.ts'
import { Problem } from './problem.ts'
import './style.css'
import { theme } from './theme.ts'
import { WholePage } from './whole-page.tsx'

export const SCHEME_KEY = 'drover-scheme'

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: isAskedAgain,
      retryDelay: (failures, error) => pauseMs(failures, error),
      // A browser's word for being offline is a guess: what is asked fails at once instead of waiting.
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    // What a person does is done now or not at all, and never later behind their back.
    mutations: { networkMode: 'always' },
  },
})

/** What a page tells its reader is no fault of the page. */
function onCaughtError(error: unknown): void {
  if (!(error instanceof Problem)) reportError(error)
}

/** Puts an app on its page, in the reader's colour scheme. */
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
          <WholePage>{app}</WholePage>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  )
}
