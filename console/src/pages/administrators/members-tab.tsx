/** The members of one organization, project or project grant, as a tab of its page. */
import { useQuery } from '@connectrpc/connect-query'
import { Button, Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { InternalPermissionService } from '../../../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { Icon } from '../../parts/icons.tsx'
import { ListSection } from '../../parts/list-page.tsx'
import { useListState } from '../../parts/list-search.ts'
import { rowsAt } from '../../parts/rows-at.ts'
import { useTexts } from '../../texts/index.tsx'
import { MEMBER_LIST } from './list-spec.ts'
import { memberColumns, memberKey, nameContains, SORTS } from './member-columns.tsx'
import { type MemberPlace, placeParam, resourceAt } from './place.ts'
import { administratorTexts } from './texts/index.ts'

interface MembersTabProps {
  readonly place: MemberPlace
  readonly mayWrite: boolean
}

/** The tab. */
export function MembersTab({ place, mayWrite }: MembersTabProps) {
  const t = useTexts(administratorTexts)
  const state = useListState(MEMBER_LIST)
  const found = useQuery(
    InternalPermissionService.method.listAdministrators,
    {
      pagination: { offset: state.offset, limit: state.limit, asc: state.isAscending },
      sortingColumn: SORTS[state.sort],
      filters: [
        { filter: { case: 'resource', value: resourceAt(place) } },
        ...(state.q ? [nameContains(state.q)] : []),
      ],
    },
    { placeholderData: keepPreviousData },
  )
  return (
    <ListSection
      title={t.members}
      description={t.membersHint}
      actions={
        mayWrite && (
          <Button
            component={Link}
            to="/administrators/$place/add"
            params={{ place: placeParam(place) } as never}
            leftSection={<Icon name="plus" size={16} />}
          >
            {t.addMember}
          </Button>
        )
      }
      state={state}
      searchLabel={t.searchLabel}
      columns={memberColumns(t)}
      list={rowsAt(found, ({ administrators }) => administrators)}
      keyOf={memberKey}
      empty={<Text>{t.noMembers}</Text>}
    />
  )
}
