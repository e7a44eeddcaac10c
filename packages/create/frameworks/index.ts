/** The list of frameworks. A row is a folder, a declaration and its files; everything else loops over them. */
import { api } from './api/framework.ts'
import { django } from './django/framework.ts'
import { dotnet } from './dotnet/framework.ts'
import { express } from './express/framework.ts'
import { fastapi } from './fastapi/framework.ts'
import { fastify } from './fastify/framework.ts'
import type { AppKind, Framework } from './framework.ts'
import { go } from './go/framework.ts'
import { hono } from './hono/framework.ts'
import { native } from './native/framework.ts'
import { next } from './next/framework.ts'
import { node } from './node/framework.ts'
import { nuxt } from './nuxt/framework.ts'
import { python } from './python/framework.ts'
import { react } from './react/framework.ts'
import { spring } from './spring/framework.ts'
import { sveltekit } from './sveltekit/framework.ts'
import { vue } from './vue/framework.ts'

export * from './framework.ts'
export * from './prompt.ts'

/** In the order in which people see them. */
const ROWS = {
  node,
  next,
  react,
  vue,
  sveltekit,
  nuxt,
  express,
  fastify,
  hono,
  fastapi,
  django,
  python,
  go,
  spring,
  dotnet,
  api,
  native,
}

export type FrameworkName = keyof typeof ROWS

export const FRAMEWORKS: Readonly<Record<FrameworkName, Framework>> = ROWS

export const FRAMEWORK_NAMES = Object.keys(ROWS) as FrameworkName[]

/** Those that an application of a kind can be built with. */
export function frameworksOf(kind: AppKind): readonly FrameworkName[] {
  return FRAMEWORK_NAMES.filter((name) => FRAMEWORKS[name].kind === kind)
}

/** What an application is probably built with: the one that was chosen last, if it uses this redirect URI. */
export function likelyFramework(kind: AppKind, redirectUri: string, last: string | null): FrameworkName {
  const all = frameworksOf(kind)
  const fitting = all.filter((name) => redirectUri.endsWith(FRAMEWORKS[name].callbackPath))
  return fitting.find((name) => name === last) ?? fitting[0] ?? all[0] ?? 'node'
}
