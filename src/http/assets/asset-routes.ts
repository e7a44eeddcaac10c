/**
 * `/assets/v1`: uploads of logos, icons, fonts and pictures as multipart forms with the part `file`, and the files
 * themselves. An upload is authorized like the method that changes the same thing.
 */
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { AuthService } from '../../../contract/gen/signet/auth/v1/auth_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import type { Authorize } from '../../access/authorization.ts'
import type { Call } from '../../access/call.ts'
import type { AnyMethod } from '../../access/method.ts'
import { ASSET_PATH, ASSET_USES, assetRefusals, readAsset } from '../../features/assets/index.ts'
import { type BrandingSlot, changeBrandAsset } from '../../features/settings/index.ts'
import { setPicture, userToChange } from '../../features/users/index.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { apiPage, jsonAnswer } from '../api-page.ts'
import { type Page, type Pages, UnreadableForm } from '../page.ts'
import { type Fault, tooLarge } from '../protocols/errors.ts'
import { unsupportedType } from '../protocols/rest.ts'

export interface AssetRoutesOptions {
  readonly app: App
  readonly authorize: Authorize
  readonly log: (fault: Fault) => void
}

/** A file that can be uploaded and removed. */
interface Target {
  readonly method: AnyMethod
  readonly maxBytes: number
  /** Without bytes the file is removed. */
  change(call: Call, bytes: Buffer | undefined): Promise<void>
}

const SLOTS: Readonly<Record<string, BrandingSlot>> = {
  logo: 'logo',
  'logo/dark': 'logoDark',
  icon: 'icon',
  'icon/dark': 'iconDark',
  font: 'font',
}

/** Files are drawn, never run: no scripts, no requests, no origin. */
const FILE_HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
  'referrer-policy': 'no-referrer',
} as const

function refusalOf(error: unknown, maxBytes: number): unknown {
  if (!(error instanceof UnreadableForm)) return error
  return error.status === 413 ? tooLarge(maxBytes) : unsupportedType('multipart/form-data')
}

function uploadPage(options: AssetRoutesOptions, path: string, { method, maxBytes, change }: Target): Page {
  return apiPage(options, path, {
    method,
    verbs: ['POST', 'DELETE'],
    async answer(request, call) {
      if (request.method === 'DELETE') {
        await change(call, undefined)
        return jsonAnswer({})
      }
      const { file } = await request.readUpload(maxBytes).catch((error) => Promise.reject(refusalOf(error, maxBytes)))
      if (file === undefined) throw refused(assetRefusals, 'asset.missing')
      await change(call, file)
      return jsonAnswer({})
    },
  })
}

function brandTargets(app: App): readonly (readonly [string, Target])[] {
  return Object.entries(SLOTS).flatMap(([name, slot]) => {
    const { maxBytes } = ASSET_USES[slot === 'font' ? 'font' : 'image']
    const target = (descriptor: AnyMethod['descriptor'], ownerOf: (call: Call) => string): Target => ({
      method: { descriptor },
      maxBytes,
      async change(call, bytes) {
        await changeBrandAsset(app, call.origin, { owner: ownerOf(call), slot, bytes })
      },
    })
    return [
      [`instance/policy/label/${name}`, target(AdminService.method.updateLabelPolicy, () => app.instanceId)],
      [
        `org/policy/label/${name}`,
        target(ManagementService.method.updateCustomLabelPolicy, ({ organizationId }) => organizationId),
      ],
    ] as const
  })
}

/** The files, by the paths that refer to them. */
function filePage(app: App): Page {
  return {
    verbs: ['GET', 'HEAD'],
    async answer({ path }) {
      const [id = '', file = '', ...more] = path.slice(ASSET_PATH.length + 1).split('/')
      const found = more.length === 0 ? await readAsset(app, { id, file }) : undefined
      if (found === undefined) return { status: 404, contentType: 'text/plain; charset=utf-8', body: 'not found\n' }
      return { status: 200, contentType: found.contentType, body: found.bytes, headers: FILE_HEADERS }
    },
  }
}

/** All routes below `/assets/v1`. */
export function assetRoutes(options: AssetRoutesOptions): Pages {
  const { app } = options
  const portrait: Target = {
    method: { descriptor: AuthService.method.updateMyProfile },
    maxBytes: ASSET_USES.portrait.maxBytes,
    change: async (call, bytes) => {
      const { id } = await userToChange(app, call, call.caller.userId)
      await app.store.write(call.origin, (work) => setPicture(app, work, id, bytes))
    },
  }
  const uploads = [...brandTargets(app), ['users/me/avatar', portrait] as const]
  return new Map([
    ...uploads.map(([name, target]): [string, Page] => {
      const path = `${ASSET_PATH}/${name}`
      return [path, uploadPage(options, path, target)]
    }),
    [`${ASSET_PATH}/*`, filePage(app)],
  ])
}
