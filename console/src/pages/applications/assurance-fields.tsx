/** The FAPI 2.0 Security Profile: one switch, the single rules, and what of the profile the settings meet. */
import { Checkbox, Group, List, Stack, Switch, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { fapi2Requirements } from '../../../../src/features/applications/high-assurance.ts'
import { Icon } from '../../parts/icons.tsx'
import { useTexts } from '../../texts/index.tsx'
import { filledIn, type OidcValues } from './oidc-values.ts'
import { applicationTexts } from './texts/index.ts'

const SERVER_GRANTS = {
  code: 'authorization_code',
  refresh: 'refresh_token',
  device: 'device_code',
  exchange: 'token_exchange',
} as const

const RULES = [
  'requirePushedAuthorizationRequests',
  'requireDpop',
  'requirePkce',
  'requireSignedRequestObject',
] as const

/** What of the profile the values of the form meet, by the rule of the server. */
function requirementsOf(values: OidcValues) {
  const { assertionAlgorithm, authMethod, developmentMode } = values
  return fapi2Requirements({
    authMethod: authMethod === 'key' ? 'private_key_jwt' : authMethod,
    grantTypes: values.grantTypes.map((name) => SERVER_GRANTS[name as keyof typeof SERVER_GRANTS]),
    redirectUris: filledIn(values.redirectUris),
    developmentMode,
    ...(values.requireAssertionJti && { requireAssertionJti: true }),
    ...(values.requirePushedAuthorizationRequests && { requirePushedAuthorizationRequests: true }),
    ...(values.requireDpop && { requireDpop: true }),
    ...(values.requirePkce && { requirePkce: true }),
    ...(assertionAlgorithm !== 'any' && { clientAssertionAlgorithm: assertionAlgorithm }),
  })
}

/** The values with the profile. Redirect URIs are left to the administrator: nobody else knows the right ones. */
function withProfile(values: OidcValues): Partial<OidcValues> {
  const { assertionAlgorithm } = values
  const isAllowed = assertionAlgorithm !== 'any' && assertionAlgorithm !== 'RS256'
  return {
    authMethod: 'key',
    // RSA keys sign with it, also those that were made before.
    assertionAlgorithm: isAllowed ? assertionAlgorithm : 'PS256',
    requireAssertionJti: true,
    requirePushedAuthorizationRequests: true,
    requireDpop: true,
    requirePkce: true,
    developmentMode: false,
    grantTypes: values.grantTypes.filter((name) => name === 'code' || name === 'refresh'),
  }
}

const WITHOUT_PROFILE = {
  assertionAlgorithm: 'any',
  requirePushedAuthorizationRequests: false,
  requireDpop: false,
  requirePkce: false,
} as const satisfies Partial<OidcValues>

/** The fields. */
export function AssuranceFields({ form }: { readonly form: UseFormReturnType<OidcValues> }) {
  const t = useTexts(applicationTexts).assurance
  const requirements = requirementsOf(form.values)
  const isComplete = requirements.every(({ isMet }) => isMet)
  // What the switch sets; the addresses are left to the administrator.
  const isOn = requirements.every(({ key, isMet }) => isMet || key === 'RedirectUris')
  return (
    <Stack>
      <Switch
        label={t.profile}
        description={t.profileHint}
        checked={isOn}
        onChange={({ currentTarget: { checked } }) =>
          form.setValues(checked ? withProfile(form.values) : WITHOUT_PROFILE)
        }
      />
      {RULES.map((name) => (
        <Checkbox
          key={name}
          label={t[name]}
          description={t.hints[name]}
          {...form.getInputProps(name, { type: 'checkbox' })}
        />
      ))}
      <div>
        <Text size="sm" fw={500}>
          {isComplete ? t.complete : t.incomplete}
        </Text>
        <List size="sm" listStyleType="none" aria-label={t.checkList}>
          {requirements.map(({ key, isMet }) => (
            <List.Item key={key}>
              <Group gap="xs" wrap="nowrap" align="flex-start">
                <Icon name={isMet ? 'check' : 'warning'} size={16} />
                <span>
                  {isMet ? t.met : t.unmet} {t.requirements[key]}
                </span>
              </Group>
            </List.Item>
          ))}
        </List>
      </div>
    </Stack>
  )
}
