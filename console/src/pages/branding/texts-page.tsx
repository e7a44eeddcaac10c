/** The texts of the hosted pages in one language: what is set here, over those of the instance and the built-in ones. */
import { useQuery } from '@connectrpc/connect-query'
import { Group, NativeSelect } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { SettingsService } from '../../../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import { LANGUAGE_TAGS, LANGUAGES } from '../../../../src/kernel/languages.ts'
import { useSettingsOwner } from '../../access/settings-owner.ts'
import { AreaPage } from '../../parts/area-page.tsx'
import { policyTexts } from '../../parts/policy/texts/index.ts'
import { Reading } from '../../parts/reading.tsx'
import { useLanguage, useTexts } from '../../texts/index.tsx'
import { BrandingLinks } from './branding-links.tsx'
import { usePageTexts } from './page-texts.ts'
import { AREAS } from './text-values.ts'
import { pageTextsTexts } from './texts/page-texts/index.ts'
import { TextsForm } from './texts-form.tsx'

/** The page. */
export function PageTextsPage() {
  const t = useTexts(pageTextsTexts)
  const { ofInstance, ofOrganization } = useTexts(policyTexts)
  const { language: own } = useLanguage()
  const asked = useSearch({ from: '/branding/texts' })
  const language = LANGUAGE_TAGS.find((tag) => tag === asked.language) ?? own
  const area = AREAS.find((name) => name === asked.area) ?? 'signIn'
  const navigate = useNavigate()
  const { organizationId, mayWrite, mayReset } = useSettingsOwner()
  const request = { language, ...(organizationId !== undefined && { organizationId }) }
  const set = useQuery(SettingsService.method.getPageTexts, request)
  const builtIn = usePageTexts(language)
  const show = (search: { language?: string; area?: string }) =>
    navigate({ to: '.', search: { language, area, ...search } as never })
  return (
    <AreaPage
      title={t.title}
      links={<BrandingLinks />}
      description={organizationId === undefined ? ofInstance : ofOrganization}
    >
      <Group align="flex-end">
        <NativeSelect
          label={t.language}
          data={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
          value={language}
          onChange={({ currentTarget }) => show({ language: currentTarget.value })}
        />
        <NativeSelect
          label={t.area}
          data={AREAS.map((value) => ({ value, label: t.areas[value] }))}
          value={area}
          onChange={({ currentTarget }) => show({ area: currentTarget.value })}
        />
      </Group>
      <Reading
        query={{
          data: set.data && builtIn.data && { set: set.data, builtIn: builtIn.data },
          error: set.error ?? builtIn.error,
          refetch: () => Promise.all([set.refetch(), builtIn.refetch()]),
        }}
      >
        {(found) => (
          // Another owner, language or area: the form starts anew.
          <TextsForm
            key={`${organizationId} ${language} ${area}`}
            request={request}
            area={area}
            own={found.set.texts}
            inherited={found.set.inherited}
            builtIn={found.builtIn}
            mayWrite={mayWrite}
            mayReset={mayReset}
          />
        )}
      </Reading>
    </AreaPage>
  )
}
