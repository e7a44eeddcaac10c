/** Which identity providers are offered on the sign-in pages. A change applies at once. */
import { useQuery } from '@connectrpc/connect-query'
import { Anchor, Checkbox, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import type { Provider } from '../../../../contract/gen/signet/idp/v1/idp_pb.ts'
import { ManagementService } from '../../../../contract/gen/signet/management/v1/management_pb.ts'
import { useSettingsOwner } from '../../access/settings-owner.ts'
import { ownersMethod } from '../../parts/policy/use-policy.ts'
import { Reading } from '../../parts/reading.tsx'
import { Section } from '../../parts/section.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useTexts } from '../../texts/index.tsx'
import { signInTexts } from './texts/index.ts'

const admin = AdminService.method
const management = ManagementService.method
const EVERY = { query: { limit: 1000 } } as const

function useOffered(isInstance: boolean) {
  return useQuery(ownersMethod(isInstance, admin.listLoginPolicyIDPs, management.listLoginPolicyIDPs), EVERY)
}

/** The names of the offered providers, for the preview. */
export function useOfferedProviders(): readonly string[] {
  const offered = useOffered(useSettingsOwner().organizationId === undefined)
  return offered.data?.result.map(({ idpName }) => idpName) ?? []
}

interface LoginProvidersProps {
  readonly isInstance: boolean
  readonly mayWrite: boolean
  readonly isShown: boolean
}

/** The card, with one checkbox for each provider. */
export function LoginProviders({ isInstance, mayWrite, isShown }: LoginProvidersProps) {
  const t = useTexts(signInTexts)
  const providers = useQuery(ownersMethod(isInstance, admin.listProviders, management.listProviders), EVERY)
  const offered = useOffered(isInstance)
  const ids = new Set(offered.data?.result.map(({ idpId }) => idpId))
  if (!isShown) return null
  return (
    <Section anchor="providers" title={t.providers.title} description={t.providers.hint}>
      <Reading query={{ ...providers, data: offered.data && providers.data }}>
        {({ result }) => (
          <Stack gap="sm">
            {result.length === 0 && <Text size="sm">{t.providers.none}</Text>}
            {result.map((provider) => (
              <ProviderBox
                key={provider.id}
                provider={provider}
                isInstance={isInstance}
                isOffered={ids.has(provider.id)}
                mayWrite={mayWrite}
              />
            ))}
            <Anchor component={Link} to={'/identity-providers' as never} size="sm" w="fit-content">
              {t.providers.manage}
            </Anchor>
          </Stack>
        )}
      </Reading>
    </Section>
  )
}

interface ProviderBoxProps {
  readonly provider: Provider
  readonly isInstance: boolean
  readonly isOffered: boolean
  readonly mayWrite: boolean
}

function ProviderBox({ provider: { id, name, owner }, isInstance, isOffered, mayWrite }: ProviderBoxProps) {
  const t = useTexts(signInTexts)
  const changes = [admin.listLoginPolicyIDPs, management.listLoginPolicyIDPs]
  const offer = useAction(ownersMethod(isInstance, admin.addIDPToLoginPolicy, management.addIDPToLoginPolicy), {
    done: t.providers.offered,
    changes,
  })
  const hide = useAction(
    ownersMethod(isInstance, admin.removeIDPFromLoginPolicy, management.removeIDPFromLoginPolicy),
    { done: t.providers.hidden, changes },
  )
  const turn = () => {
    if (isOffered) return hide.run({ idpId: id })
    return offer.run((isInstance ? { idpId: id } : { idpId: id, ownerType: owner }) as { idpId: string })
  }
  return (
    <Checkbox
      label={name}
      checked={isOffered}
      disabled={!mayWrite || offer.isRunning || hide.isRunning}
      onChange={() => void turn()}
    />
  )
}
