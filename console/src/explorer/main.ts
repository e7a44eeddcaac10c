/**
 * The API explorer at `/ui/api`: Scalar with our OpenAPI document, in files of our own build. It asks no other host:
 * no fonts, no proxy, no telemetry, no assistant. Requests carry the token of the sign-in, or one that is entered.
 */
import { PATHS } from '../../../src/kernel/page-paths.ts'
import '@scalar/api-reference/style.css'
import './explorer.css'
import { createApiReference } from '@scalar/api-reference'
import { loadEnvironment } from '../session/environment.ts'
import { accessToken, beginSignIn, finishSignIn, receiveSignInAt } from '../session/sign-in.ts'
import { showBar } from './bar.ts'

/** Redeems the code when the browser comes back from the sign-in page. */
async function signedInToken(): Promise<string | undefined> {
  if (!new URLSearchParams(location.search).has('state')) return undefined
  try {
    return (await finishSignIn()) === undefined ? undefined : await accessToken()
  } finally {
    history.replaceState(null, '', PATHS.explorer)
  }
}

interface Service {
  readonly name: string
  readonly title: string
}

async function readServices(): Promise<readonly Service[]> {
  const answer = await fetch('/openapi/services.json')
  if (!answer.ok) throw new Error(`The list of services cannot be read (${answer.status}).`)
  return answer.json()
}

/** The service in the address, or the first one. The document of all of them is more than a browser shows in time. */
function serviceInAddress(services: readonly Service[]): string {
  const asked = new URLSearchParams(location.search).get('service')
  return (services.find(({ name }) => name === asked) ?? services[0])?.name ?? ''
}

function openExplorer(service: string, token: string | undefined): () => void {
  const { destroy } = createApiReference('#explorer', {
    url: `/openapi.json?service=${encodeURIComponent(service)}`,
    layout: 'modern',
    theme: 'default',
    withDefaultFonts: false,
    telemetry: false,
    showDeveloperTools: 'never',
    // Users alone are a hundred operations, which a browser needs seconds to show.
    defaultOpenFirstTag: false,
    hideClientButton: true,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideDarkModeToggle: true,
    darkMode: matchMedia('(prefers-color-scheme: dark)').matches,
    documentDownloadType: 'direct',
    persistAuth: false,
    authentication: {
      preferredSecurityScheme: 'bearer',
      ...(token !== undefined && { securitySchemes: { bearer: { token } } }),
    },
  })
  return destroy
}

async function start(): Promise<void> {
  await loadEnvironment()
  receiveSignInAt(PATHS.explorer)
  let failure = ''
  const token = await signedInToken().catch((error: unknown) => {
    failure = error instanceof Error ? error.message : String(error)
    return undefined
  })
  const services = await readServices()
  let service = serviceInAddress(services)
  let close = openExplorer(service, token)
  showBar({
    isSignedIn: token !== undefined,
    failure,
    services,
    service,
    onSignIn: () => void beginSignIn(),
    onService(name) {
      close()
      service = name
      history.replaceState(null, '', `${PATHS.explorer}?service=${encodeURIComponent(service)}`)
      close = openExplorer(service, token)
    },
  })
}

void start()
