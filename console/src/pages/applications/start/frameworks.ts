/**
 * What people build, and what each needs: the kind of application, the addresses that its library uses, the settings and the
 * files of `examples/snippets`. Pure: tests read it too.
 */
import { random } from '../../../session/pkce.ts'
import type { OpenIdKind } from '../kinds.ts'

/** What a snippet finds in its settings. */
export interface SettingValues {
  readonly issuer: string
  readonly clientId: string
  readonly projectId: string
  /** Undefined: it was shown when it was made, and is known to nobody here. */
  readonly clientSecret: string | undefined
  /** The first ones that are registered. */
  readonly redirectUri: string
  readonly postLogoutRedirectUri: string
}

export interface Framework {
  /** As people know it; the same in all languages. */
  readonly label: string
  readonly kind: OpenIdKind
  /** Where an app of this kind listens while it is developed. */
  readonly address: string
  readonly callbackPath: string
  /** Where its library sends people after the sign-out, after the address. */
  readonly signedOutPaths: readonly string[]
  readonly install: string
  readonly run: string
  /** In `examples/snippets`, in the order in which they are read. */
  readonly files: readonly string[]
  settings(values: SettingValues): Readonly<Record<string, string>>
}

/** What stands for a secret that is not known here. */
export const UNKNOWN_SECRET = 'YOUR_CLIENT_SECRET'

function client({ issuer, clientId, clientSecret = UNKNOWN_SECRET }: SettingValues) {
  return { ISSUER: issuer, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret }
}

function addresses({ redirectUri, postLogoutRedirectUri }: SettingValues) {
  return { REDIRECT_URI: redirectUri, POST_LOGOUT_REDIRECT_URI: postLogoutRedirectUri }
}

function originOf(uri: string): string {
  return URL.canParse(uri) ? new URL(uri).origin : ''
}

/** For apps in the browser: Vite puts what begins with VITE_ into the page. */
function inThePage(values: SettingValues): Readonly<Record<string, string>> {
  const { ISSUER, CLIENT_ID } = client(values)
  const all = { ISSUER, CLIENT_ID, ...addresses(values) }
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [`VITE_${name}`, value]))
}

const SERVER = {
  kind: 'web',
  address: 'http://localhost:3000',
  callbackPath: '/callback',
  signedOutPaths: ['/'],
} as const
const PAGE = { kind: 'spa', address: 'http://localhost:5173', callbackPath: '/', signedOutPaths: ['/'] } as const
/** For runtimes that read the environment and no file. */
const WITH_ENV = 'set -a; . ./.env; set +a'

const DECLARED = {
  node: {
    ...SERVER,
    label: 'Node.js',
    install: 'npm install openid-client',
    run: 'node --env-file=.env app.js',
    files: ['node/app.js'],
    settings: (values) => ({ ...client(values), ...addresses(values) }),
  },
  next: {
    ...SERVER,
    label: 'Next.js',
    callbackPath: '/auth/callback',
    install: 'npm install openid-client jose',
    run: 'npm run dev',
    files: ['next/session.js', 'next/app/auth/[action]/route.js', 'next/app/page.jsx'],
    settings: (values) => ({ ...client(values), APP_URL: originOf(values.redirectUri), SESSION_SECRET: random() }),
  },
  react: {
    ...PAGE,
    label: 'React',
    install: 'npm install oidc-client-ts react-oidc-context',
    run: 'npm run dev',
    files: ['react/main.jsx'],
    settings: inThePage,
  },
  vue: {
    ...PAGE,
    label: 'Vue',
    install: 'npm install oidc-client-ts',
    run: 'npm run dev',
    files: ['vue/auth.js', 'vue/App.vue'],
    settings: inThePage,
  },
  express: {
    ...SERVER,
    label: 'Express',
    // Its library sends people to the address as it is set.
    signedOutPaths: ['', '/'],
    install: 'npm install express express-openid-connect',
    run: 'node --env-file=.env app.js',
    files: ['express/app.js'],
    settings(values) {
      const { ISSUER, ...rest } = client(values)
      return { ISSUER_BASE_URL: ISSUER, BASE_URL: originOf(values.redirectUri), ...rest, SECRET: random() }
    },
  },
  python: {
    ...SERVER,
    label: 'Python',
    install: 'pip install flask authlib requests python-dotenv',
    run: 'python app.py',
    files: ['python/app.py'],
    settings: (values) => ({ ...client(values), ...addresses(values), SESSION_SECRET: random() }),
  },
  go: {
    ...SERVER,
    label: 'Go',
    install: 'go get github.com/coreos/go-oidc/v3/oidc golang.org/x/oauth2',
    run: `${WITH_ENV}; go run .`,
    files: ['go/main.go'],
    settings: (values) => ({ ...client(values), ...addresses(values) }),
  },
  spring: {
    ...SERVER,
    label: 'Java, Spring Boot',
    callbackPath: '/login/oauth2/code/signet',
    install: 'spring init --dependencies=web,oauth2-client my-app',
    run: `${WITH_ENV}; ./mvnw spring-boot:run`,
    files: ['spring/application.yml', 'spring/SecurityConfig.java', 'spring/HomeController.java'],
    settings: client,
  },
  dotnet: {
    ...SERVER,
    label: '.NET',
    callbackPath: '/signin-oidc',
    signedOutPaths: ['/signout-callback-oidc'],
    install: 'dotnet add package Microsoft.AspNetCore.Authentication.OpenIdConnect',
    run: `${WITH_ENV}; dotnet run --urls http://localhost:3000`,
    files: ['dotnet/Program.cs'],
    settings: client,
  },
  api: {
    kind: 'api',
    label: 'API',
    address: '',
    callbackPath: '',
    signedOutPaths: [],
    install: 'npm install jose',
    run: 'node --env-file=.env api.js',
    files: ['api/api.js'],
    settings: (values) => ({ ...client(values), PROJECT_ID: values.projectId }),
  },
  native: {
    kind: 'native',
    label: 'iOS, Android, desktop',
    address: '',
    callbackPath: '',
    signedOutPaths: [],
    install: '',
    run: '',
    files: [],
    settings: (values) => ({ ISSUER: values.issuer, CLIENT_ID: values.clientId, REDIRECT_URI: values.redirectUri }),
  },
} as const satisfies Record<string, Framework>

export type FrameworkName = keyof typeof DECLARED

export const FRAMEWORKS: Readonly<Record<FrameworkName, Framework>> = DECLARED

export const FRAMEWORK_NAMES = Object.keys(DECLARED) as FrameworkName[]

/** Those that an application of a kind can be built with. */
export function frameworksOf(kind: OpenIdKind): readonly FrameworkName[] {
  return FRAMEWORK_NAMES.filter((name) => FRAMEWORKS[name].kind === kind)
}

/** What an application is probably built with: the one that was chosen last, if it uses this redirect URI. */
export function likelyFramework(kind: OpenIdKind, redirectUri: string, last: string | null): FrameworkName {
  const all = frameworksOf(kind)
  const fitting = all.filter((name) => redirectUri.endsWith(FRAMEWORKS[name].callbackPath))
  return fitting.find((name) => name === last) ?? fitting[0] ?? all[0] ?? 'node'
}

/** The redirect and sign-out URIs that an app of this framework uses at an address. */
export function proposedUris(framework: Framework, address: string) {
  const base = address.trim().replace(/\/+$/, '')
  if (base === '' || framework.callbackPath === '') return { redirectUris: [], postLogoutRedirectUris: [] }
  return {
    redirectUris: [`${base}${framework.callbackPath}`],
    postLogoutRedirectUris: framework.signedOutPaths.map((path) => `${base}${path}`),
  }
}

/** The settings as the text of a file. */
export function envFileOf(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
}
