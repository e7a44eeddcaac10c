/** The methods of the SettingsService for the links on login pages as a list: another form of the legal links. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { RequestContext } from '../../../../contract/gen/signet/object/v2/object_pb.ts'
import {
  type Link,
  type LinkSchema,
  LinkTarget,
  LinkType,
  Source,
} from '../../../../contract/gen/signet/settings/v2/link_settings_pb.ts'
import { SettingsService } from '../../../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import type { Call } from '../../../access/call.ts'
import { type Method, methods } from '../../../access/method.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { SettingsCommand } from '../decider.ts'
import { type Holding, holdingSettings } from '../effective.ts'
import { changeInstanceSettings, changeOrganizationSettings } from '../handlers/change-settings.ts'
import { settingsRefusals } from '../refusals.ts'
import { SECTIONS } from '../sections.ts'
import type { LegalLinks } from '../values.ts'
import { isOwn } from './details.ts'
import { holdingFor, ownerAsked } from './requested-settings.ts'

const SUPPORT = 'mailto:'

/** The types of links and the members that hold them, in the order in which they are listed. */
const MEMBERS = new Map<LinkType, Exclude<keyof LegalLinks, 'customLinkText'>>([
  [LinkType.TERMS_OF_SERVICE, 'tosLink'],
  [LinkType.PRIVACY_POLICY, 'privacyLink'],
  [LinkType.HELP, 'helpLink'],
  [LinkType.SUPPORT, 'supportEmail'],
  [LinkType.DOCS, 'docsLink'],
  [LinkType.CUSTOM, 'customLink'],
])

/** The links that are set, as a list. */
function linksV2(legal: LegalLinks): MessageInitShape<typeof LinkSchema>[] {
  return [...MEMBERS].flatMap(([type, member]) => {
    const text = legal[member]
    if (text === '') return []
    const url = type === LinkType.SUPPORT ? `${SUPPORT}${text}` : text
    const translationKey = type === LinkType.CUSTOM ? legal.customLinkText : ''
    return [{ type, url, translationKey, target: LinkTarget.BLANK }]
  })
}

/** The links that pages of an organization, or of the instance itself, show. */
export async function effectiveLinks(app: App, owner: string): Promise<MessageInitShape<typeof LinkSchema>[]> {
  return linksV2((await holdingSettings(app, owner)).legal.value)
}

/** The level on which links are set. */
function sourceOf({ from }: Holding<LegalLinks>, instanceId: string): Source {
  if (from === undefined) return Source.SYSTEM
  return isOwn(from, instanceId) ? Source.ORGANIZATION : Source.INSTANCE
}

/** Why pages cannot show a link, with the field. */
function linkProblem({ type, url, translationKey }: Link, isRepeated: boolean) {
  if (isRepeated) return { field: 'type', description: 'must be given only once' }
  if (type === LinkType.SUPPORT && !url.startsWith(SUPPORT))
    return { field: 'url', description: 'must be a mailto URL' }
  if (type === LinkType.CUSTOM || translationKey === '') return undefined
  return { field: 'translationKey', description: 'is only for custom links: the others have texts of their own' }
}

/** The links of a list. Throws for one that pages cannot show, and names it. */
function legalOf(links: readonly Link[]): LegalLinks {
  const legal: Record<keyof LegalLinks, string> = { ...SECTIONS.legal.builtIn }
  for (const [index, link] of links.entries()) {
    const member = MEMBERS.get(link.type)
    if (member === undefined) continue
    const problem = linkProblem(link, legal[member] !== '')
    if (problem !== undefined) {
      const violations = [{ ...problem, field: `links[${index}].${problem.field}` }]
      throw refused(settingsRefusals, 'settings.link_unsupported', { violations })
    }
    legal[member] = link.type === LinkType.SUPPORT ? link.url.slice(SUPPORT.length) : link.url
    if (link.type === LinkType.CUSTOM) legal.customLinkText = link.translationKey
  }
  return legal
}

/** The v2 methods for links. What applies to a project or an application is served by `applications`. */
export function linkMethods(app: App): readonly Method[] {
  const { instanceId } = app
  const change = async (ctx: RequestContext | undefined, call: Call, command: SettingsCommand) => {
    const owner = await ownerAsked(app, call, ctx)
    const { value } = await (owner === instanceId
      ? changeInstanceSettings(app, call.origin, command)
      : changeOrganizationSettings(app, call, owner, command))
    return { changeDate: timestampFromMs(value.changedAt), settings: { links: await effectiveLinks(app, owner) } }
  }
  return methods(SettingsService, {
    async getLinkSettings({ ctx }, call) {
      const { legal } = await holdingFor(app, ctx, call)
      return { settings: { links: linksV2(legal.value) }, source: sourceOf(legal, instanceId) }
    },
    setLinkSettings: ({ ctx, links }, call) =>
      change(ctx, call, { type: 'set', section: 'legal', manner: 'put', value: legalOf(links) }),
    resetLinkSettings: ({ ctx }, call) => change(ctx, call, { type: 'reset', section: 'legal' }),
  })
}
