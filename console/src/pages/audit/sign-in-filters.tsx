/** The filters of sign-ins, by name. */
import { Group } from '@mantine/core'
import { useOrganization } from '../../access/organization.tsx'
import { PickField } from '../../parts/pick-field.tsx'
import { FAILURES, METHODS, OUTCOMES } from '../../sign-ins/names.ts'
import { signInWords } from '../../sign-ins/texts/index.ts'
import { useTexts } from '../../texts/index.tsx'
import { ChoiceField, TimeField } from './filter-fields.tsx'
import type { SignInSearch } from './sign-in-search.ts'
import { auditTexts } from './texts/index.ts'

interface SignInFiltersProps {
  readonly search: SignInSearch
  onChange(change: SignInSearch): void
}

function choices<Name extends string>(names: Readonly<Record<Name, number>>, labels: Readonly<Record<Name, string>>) {
  return (Object.keys(names) as Name[]).map((value) => {
    const label = labels[value]
    return { value, label: `${label.charAt(0).toUpperCase()}${label.slice(1)}` }
  })
}

/** The row of filters. */
export function SignInFilters({ search, onChange }: SignInFiltersProps) {
  const t = useTexts(auditTexts)
  const words = useTexts(signInWords)
  const { organizationId } = useOrganization()
  return (
    <Group align="flex-end" gap="sm">
      <PickField label={t.user} groups={['users']} value={search.user ?? ''} onChange={(user) => onChange({ user })} />
      <PickField
        label={t.application}
        groups={['applications']}
        value={search.application ?? ''}
        onChange={(application) => onChange({ application })}
      />
      {organizationId === undefined && (
        <PickField
          label={t.organization}
          groups={['organizations']}
          value={search.organization ?? ''}
          onChange={(organization) => onChange({ organization })}
        />
      )}
      <ChoiceField
        label={t.outcome}
        data={choices(OUTCOMES, words.outcomes)}
        value={search.outcome}
        onChange={(outcome) => onChange({ outcome })}
      />
      <ChoiceField
        label={t.reason}
        data={choices(FAILURES, words.failures)}
        value={search.failure}
        onChange={(failure) => onChange({ failure })}
      />
      <ChoiceField
        label={t.method}
        data={choices(METHODS, words.methods)}
        value={search.method}
        onChange={(method) => onChange({ method })}
      />
      <ChoiceField
        label={t.range}
        data={Object.entries(t.ranges).map(([value, label]) => ({ value, label }))}
        value={search.range}
        onChange={(range) => onChange({ range })}
      />
      {search.range === undefined && (
        <TimeField label={t.since} value={search.since} onChange={(since) => onChange({ since })} />
      )}
      <TimeField label={t.until} value={search.until} onChange={(until) => onChange({ until })} />
    </Group>
  )
}
