/** The members of one organization, project or project grant, as a tab of its page. */
import { Text } from '@mantine/core'
import { ListSection } from '../../parts/list-page.tsx'
import { useListState } from '../../parts/use-list-state.ts'
import { useTexts } from '../../texts/index.tsx'
import { MEMBER_LIST } from './list-spec.ts'
import { AddMemberButton, memberColumns, memberKey, useAdministrators } from './member-columns.tsx'
import { type MemberPlace, resourceAt } from './place.ts'
import { administratorTexts } from './texts/index.ts'

interface MembersTabProps {
  readonly place: MemberPlace
  readonly mayWrite: boolean
}

/** The tab. */
export function MembersTab({ place, mayWrite }: MembersTabProps) {
  const t = useTexts(administratorTexts)
  const state = useListState(MEMBER_LIST)
  const list = useAdministrators(state, [{ filter: { case: 'resource', value: resourceAt(place) } }])
  return (
    <ListSection
      title={t.members}
      description={t.membersHint}
      actions={mayWrite && <AddMemberButton place={place} label={t.addMember} />}
      state={state}
      searchLabel={t.searchLabel}
      columns={memberColumns(t)}
      list={list}
      keyOf={memberKey}
      empty={<Text>{t.noMembers}</Text>}
    />
  )
}
