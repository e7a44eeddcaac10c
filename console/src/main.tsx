/** The start of the console: asks the server where to sign in, signs in, and shows the pages. */
import '@mantine/core/styles.css'
import './console.css'
import { TransportProvider } from '@connectrpc/connect-query'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { lazy, type ReactNode, StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { PATHS } from '../../src/kernel/page-paths.ts'
import { MeProvider } from './access/me.tsx'
import { openQueries } from './api/queries.ts'
import { openTransport } from './api/transport.ts'
import { router } from './router.tsx'
import { environment, loadEnvironment } from './session/environment.ts'
import { beginSignIn, finishSignIn, isCallback } from './session/sign-in.ts'
import { installTrustedTypes, styleNonce } from './session/trusted-types.ts'
import { announceConfirmation } from './shell/confirmation.tsx'
import { StartFailure } from './shell/start-failure.tsx'
import { LanguageProvider } from './texts/index.tsx'
import { cssVariables, theme } from './theme.ts'

const Notices = lazy(async () => ({ default: (await import('./shell/notices.tsx')).Notices }))

function show(content: ReactNode): void {
  createRoot(document.getElementById('root') as HTMLElement).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        defaultColorScheme="auto"
        getStyleNonce={styleNonce}
      >
        <LanguageProvider>{content}</LanguageProvider>
      </MantineProvider>
    </StrictMode>,
  )
}

/** Signs in, and puts the address back to where the user was. */
async function signIn(): Promise<void> {
  await loadEnvironment()
  // Cookies and tokens belong to the public address; the server may have been opened under another name.
  const { origin } = new URL(environment().issuer)
  if (location.origin !== origin) {
    location.replace(`${origin}${location.pathname}${location.search}`)
    await new Promise(() => {})
  }
  const finished = isCallback() ? await finishSignIn() : undefined
  if (finished === undefined) return beginSignIn()
  history.replaceState(null, '', finished.returnTo)
  if (finished.isConfirmation) announceConfirmation()
}

/** The window of a sign-in that is tried out needs no sign-in of its own: the page that opened it continues. */
async function endTrial(): Promise<void> {
  const [{ handOn }, { TrialReturn }] = await Promise.all([
    import('./pages/applications/start/sign-in-trial.ts'),
    import('./pages/applications/start/trial-return.tsx'),
  ])
  handOn()
  show(<TrialReturn />)
}

async function start(): Promise<void> {
  installTrustedTypes()
  // A page of an earlier build is gone from the server: the new build is loaded instead.
  addEventListener('vite:preloadError', () => location.reload())
  if (location.pathname === PATHS.trial) return endTrial()
  try {
    await signIn()
  } catch (error) {
    show(<StartFailure error={error} />)
    return
  }
  show(
    <TransportProvider transport={openTransport()}>
      <QueryClientProvider client={openQueries()}>
        <Suspense fallback={null}>
          <Notices />
        </Suspense>
        <MeProvider>
          <RouterProvider router={router} />
        </MeProvider>
      </QueryClientProvider>
    </TransportProvider>,
  )
}

void start()
