/** The methods of the SettingsService for the texts of the hosted pages. */
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { SettingsService } from '../../../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import type { Call } from '../../../access/call.ts'
import { type Method, methods } from '../../../access/method.ts'
import type { App } from '../../../module/app.ts'
import {
  type CustomTexts,
  checkedTexts,
  ownTexts,
  pageLanguage,
  resetTexts,
  setTexts,
} from '../page-texts/page-texts.ts'
import { requireOwner } from './requested-settings.ts'

function listed(texts: CustomTexts) {
  return Object.entries(texts).map(([key, text]) => ({ key, text }))
}

/** The v2 methods for texts of the hosted pages. */
export function pageTextMethods(app: App): readonly Method[] {
  const { instanceId } = app
  const ownerOf = (call: Call, organizationId: string) =>
    requireOwner(app, call, organizationId === '' ? instanceId : organizationId)

  return methods(SettingsService, {
    async getPageTexts({ language, organizationId }, call) {
      const owner = await ownerOf(call, organizationId)
      const tag = pageLanguage(language)
      const inherited = owner === instanceId ? {} : await ownTexts(app, instanceId, tag)
      return { texts: listed(await ownTexts(app, owner, tag)), inherited: listed(inherited) }
    },
    async setPageTexts({ language, organizationId, texts }, call) {
      const owner = await ownerOf(call, organizationId)
      const command = { language: pageLanguage(language), texts: checkedTexts(texts, 'texts') }
      const { value } = await setTexts(app, call.origin, owner, command)
      return { setDate: timestampFromMs(value.changedAt) }
    },
    async resetPageTexts({ language, organizationId }, call) {
      const owner = await ownerOf(call, organizationId)
      const { at } = await resetTexts(app, call.origin, owner, pageLanguage(language))
      return { deletionDate: timestampFromMs(at) }
    },
  })
}
