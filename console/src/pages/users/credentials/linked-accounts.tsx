/** The accounts at identity providers that a person signs in with. */
import { useQuery } from '@connectrpc/connect-query'
import { IdentityProviderService } from '../../../../../contract/gen/signet/idp/v2/idp_service_pb.ts'
import { UserService } from '../../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { usePermissions } from '../../../access/me.tsx'
import { ItemList } from '../../../parts/item-list.tsx'
import { RemoveButton } from '../../../parts/remove-button.tsx'
import { Section } from '../../../parts/section.tsx'
import { useAction } from '../../../parts/use-action.ts'
import { useTexts } from '../../../texts/index.tsx'
import { credentialTexts } from './texts/index.ts'

/** The section. */
export function LinkedAccountsSection({ userId, mayWrite }: { readonly userId: string; readonly mayWrite: boolean }) {
  const t = useTexts(credentialTexts)
  const { listIDPLinks, removeIDPLink } = UserService.method
  const { data, error, refetch } = useQuery(listIDPLinks, { userId, query: { limit: 1000 } })
  const remove = useAction(removeIDPLink, { done: t.links.removed, changes: [listIDPLinks] })
  return (
    <Section title={t.links.title} description={t.links.hint}>
      <ItemList
        label={t.links.title}
        list={{ rows: data?.result, error, refetch }}
        keyOf={(link) => `${link.idpId} ${link.userId}`}
        textOf={(link) => link.userName}
        empty={t.links.empty}
        columns={[
          { key: 'account', header: t.links.account, cell: (link) => link.userName },
          { key: 'provider', header: t.links.provider, cell: (link) => <ProviderName id={link.idpId} /> },
          { key: 'id', header: t.links.id, cell: (link) => link.userId },
        ]}
        actions={
          mayWrite &&
          ((link) => (
            <RemoveButton
              name={link.userName}
              consequence={t.links.consequence}
              isRunning={remove.isRunning}
              onConfirm={() => remove.run({ userId, idpId: link.idpId, linkedUserId: link.userId })}
            />
          ))
        }
      />
    </Section>
  )
}

/** The name of a provider; its id where it cannot be read. */
function ProviderName({ id }: { readonly id: string }) {
  const { canSomewhere } = usePermissions()
  const enabled = canSomewhere('org.idp.read')
  const { data } = useQuery(IdentityProviderService.method.getIDPByID, { id }, { enabled, staleTime: 60_000 })
  return data?.idp?.name || id
}
