/** The feature flags of the instance: which can be set, and what `login_v2` means. */
import type { App } from '../../module/app.ts'
import { settings } from './documents.ts'

/** Where users sign in. */
export interface LoginUi {
  /** Whether every application uses the separate login app instead of the hosted pages. */
  readonly required: boolean
  /** URL of the login app, or a path on this server; undefined: the default path. */
  readonly baseUri: string | undefined
}

/** Which pages users sign in with. Until it is set, the hosted pages are. */
export async function loginUi({ store, instanceId }: App): Promise<LoginUi> {
  const login = (await store.get(settings, instanceId))?.state.features?.loginV2
  return { required: login?.required ?? false, baseUri: login?.baseUri || undefined }
}
