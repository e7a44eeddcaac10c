/** The SettingsService: the settings that apply, and the own settings of organizations. */

import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import {
  type OrganizationSettingsSchema,
  ResourceOwnerType,
} from '../../../../contract/gen/signet/settings/v2/settings_pb.ts'
import {
  OrganizationSettingsFieldName,
  type OrganizationSettingsSearchFilter,
  SettingsService,
} from '../../../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import { type Method, methods } from '../../../access/method.ts'
import { LANGUAGE_TAGS } from '../../../kernel/languages.ts'
import type { App } from '../../../module/app.ts'
import { changeDateOf } from '../../../module/details.ts'
import { pageOf } from '../../../module/paging.ts'
import type { BuiltInField, Filter } from '../../../store/index.ts'
import { defaultOrganizationId } from '../../instances/index.ts'
import { findOrganization } from '../../organizations/index.ts'
import type { OrganizationSettings } from '../decider.ts'
import { type SettingsField, settings } from '../documents.ts'
import { allowedLanguages, holdingSettings } from '../effective.ts'
import { changeOrganizationSettings } from '../handlers/change-settings.ts'
import { settingsDetailsV2 } from './details.ts'
import { holdingFor } from './requested-settings.ts'

/** Owners that have set only other settings have no scope of usernames. */
const HAS_ORGANIZATION_SETTINGS: Filter<SettingsField> = { field: 'userNameScope', in: ['instance', 'organization'] }

function filterOf({ filter }: OrganizationSettingsSearchFilter): Filter<SettingsField> {
  switch (filter.case) {
    case 'inOrganizationIdsFilter':
      return { field: 'id', in: filter.value.ids }
    case 'organizationScopedUsernamesFilter': {
      const scope = filter.value.organizationScopedUsernames ? 'organization' : 'instance'
      return { field: 'userNameScope', equals: scope }
    }
    case undefined:
      return { any: [] }
  }
}

function sortingOf(column: OrganizationSettingsFieldName | undefined): SettingsField | BuiltInField {
  switch (column) {
    case OrganizationSettingsFieldName.ORGANIZATION_ID:
      return 'id'
    case OrganizationSettingsFieldName.CHANGE_DATE:
      return 'setLastAt'
    default:
      return 'setFirstAt'
  }
}

/** An organization's own settings. */
function organizationSettings(
  organizationId: string,
  { userNameScope, createdAt, changedAt }: OrganizationSettings,
): MessageInitShape<typeof OrganizationSettingsSchema> {
  return {
    organizationId,
    creationDate: timestampFromMs(createdAt),
    changeDate: timestampFromMs(changedAt),
    organizationScopedUsernames: userNameScope === 'organization',
  }
}

/** The v2 methods of this module. */
export function settingsMethodsV2(app: App): readonly Method[] {
  const { store, instanceId } = app

  return methods(SettingsService, {
    async getGeneralSettings() {
      const organizationId = await defaultOrganizationId(app)
      const { defaultLanguage } = await holdingSettings(app, instanceId)
      return {
        defaultOrgId: organizationId,
        defaultOrganizationId: organizationId,
        defaultLanguage,
        supportedLanguages: [...LANGUAGE_TAGS],
        allowedLanguages: [...(await allowedLanguages(app))],
      }
    },
    async getDomainSettings({ ctx }, call) {
      const { instance } = await holdingFor(app, ctx, call)
      const resourceOwnerType = ResourceOwnerType.INSTANCE
      // A login name is the username alone, and a domain takes effect only after verification. Neither can be changed.
      return {
        details: settingsDetailsV2(instance, instanceId),
        settings: { requireOrgDomainVerification: true, resourceOwnerType },
      }
    },
    async setOrganizationSettings({ organizationId, organizationScopedUsernames }, call) {
      const { at } = call
      const command = {
        type: 'set_organization',
        organizationScopedUserNames: organizationScopedUsernames,
        at,
      } as const
      const { value } = await changeOrganizationSettings(app, call, organizationId, command)
      return { setDate: timestampFromMs(value.state.organization?.changedAt ?? at) }
    },
    async deleteOrganizationSettings({ organizationId }, call) {
      if ((await findOrganization(app.store, organizationId)) === undefined) return {}
      const command = { type: 'reset_organization' } as const
      return { deletionDate: changeDateOf(await changeOrganizationSettings(app, call, organizationId, command)) }
    },
    async listOrganizationSettings({ pagination, sortingColumn, filters }, call) {
      const visible = call.visibleOwners()
      const { limit, offset, descending } = pageOf(pagination, 'pagination')
      const where: Filter<SettingsField>[] = [HAS_ORGANIZATION_SETTINGS, ...filters.map(filterOf)]
      if (visible !== 'all') where.push({ field: 'owner', in: visible })
      const orderBy = sortingOf(sortingColumn)
      const page = await store.find(settings, { where: { all: where }, orderBy, descending, limit, offset })
      return {
        pagination: { totalResult: BigInt(page.total), appliedLimit: BigInt(limit) },
        organizationSettings: page.documents.flatMap(({ id, state }) =>
          state.organization === undefined ? [] : [organizationSettings(id, state.organization)],
        ),
      }
    },
  })
}
