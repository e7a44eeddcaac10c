/**
 * The parts of oidc-provider that the engine uses. Its own entry file also prints a warning at the start on every
 * release of Node.js without long-term support, although our tests run on the release that the package installs.
 */
import type * as library from 'oidc-provider'
import * as errorClasses from 'oidc-provider/lib/helpers/errors.js'
import * as policies from 'oidc-provider/lib/helpers/interaction_policy/index.js'
import * as provider from 'oidc-provider/lib/provider.js'

export type Provider = library.default
export const Provider: typeof library.default = provider.Provider
export const errors: typeof library.errors = errorClasses
export const interactionPolicy: typeof library.interactionPolicy = policies
