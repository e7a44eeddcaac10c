/** The applications of a project. */
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Icon } from '../../parts/icons.tsx'
import { ListSection } from '../../parts/list-page.tsx'
import { useTexts } from '../../texts/index.tsx'
import { RemoveRegistered } from './remove-registered.tsx'
import { projectTexts } from './texts/index.ts'
import { useApplications } from './use-applications.tsx'

interface ApplicationsTabProps {
  readonly projectId: string
  readonly mayWrite: boolean
  readonly mayRemove: boolean
}

/** The tab. */
export function ApplicationsTab({ projectId, mayWrite, mayRemove }: ApplicationsTabProps) {
  const t = useTexts(projectTexts)
  const shown = useApplications({ filter: { case: 'projectIdFilter', value: { projectId } } })
  const isRegistered = shown.state.filters.agent === 'registered' && shown.list.total > 0
  return (
    <ListSection
      {...shown}
      title={t.tabs.applications}
      description={t.applicationsHint}
      actions={
        <>
          {mayRemove && isRegistered && <RemoveRegistered projectId={projectId} />}
          {mayWrite && (
            <Button
              component={Link}
              to="/projects/$projectId/applications/new"
              params={{ projectId } as never}
              leftSection={<Icon name="plus" size={16} />}
            >
              {t.createApplication}
            </Button>
          )}
        </>
      }
    />
  )
}
