/** The page of one application: each tab is a file of its own. */
import { useQuery } from '@connectrpc/connect-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { AgentClientKind, ApplicationState } from '../../../../contract/gen/signet/application/v2/application_pb.ts'
import { ApplicationService } from '../../../../contract/gen/signet/application/v2/application_service_pb.ts'
import { ProjectService } from '../../../../contract/gen/signet/project/v2/project_service_pb.ts'
import { usePermissions } from '../../access/me.tsx'
import { DetailPage } from '../../parts/detail-page.tsx'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { PageLoader } from '../../parts/page-loader.tsx'
import { SignInActivity } from '../../sign-ins/charts/activity.tsx'
import { useTexts } from '../../texts/index.tsx'
import { ClientKind } from '../agents/client.tsx'
import { ActiveBadge } from '../projects/project-state.tsx'
import { ApiAccessSection } from './api-access.tsx'
import { ApiTab } from './api-tab.tsx'
import { CredentialsTab } from './credentials-tab.tsx'
import { DangerTab } from './danger-tab.tsx'
import { clientIdOf, DEFAULTS, hasKeys, hasSecret, kindOf, publicIdOf } from './kinds.ts'
import { OidcTab } from './oidc-tab.tsx'
import { RefusedRequests } from './refused-requests.tsx'
import { SamlTab } from './saml/saml-tab.tsx'
import { GetStarted } from './start/get-started.tsx'
import { applicationTexts } from './texts/index.ts'

/** The page. */
export function ApplicationDetailPage() {
  const t = useTexts(applicationTexts)
  const { projectId, applicationId } = useParams({ from: '/projects/$projectId/applications/$applicationId' })
  const { can } = usePermissions()
  const [added, setAdded] = useState<readonly string[]>([])
  const found = useQuery(ApplicationService.method.getApplication, { applicationId })
  // The owner decides what the user may do; without the right to read the project nothing more is offered.
  const owner = useQuery(ProjectService.method.getProject, { projectId })
  const application = found.data?.application
  if (found.error !== null && application === undefined) {
    return <FailureNotice error={found.error} onRetry={found.refetch} />
  }
  if (application === undefined || owner.isPending) return <PageLoader />
  const place = { organizationId: owner.data?.project?.organizationId, projectId }
  const mayWrite = can('project.app.write', place)
  const mayRemove = can('project.app.delete', place)
  const { configuration } = application
  const kind = kindOf(application)
  // A client that nobody prepared says about itself what it is; people decide only whether it is let in.
  const isPrepared = application.agentClientKind === AgentClientKind.UNSPECIFIED
  const oidc = configuration.case === 'oidcConfiguration' ? configuration.value : undefined
  const started = kind !== 'saml' && {
    kind,
    applicationId,
    place,
    clientId: clientIdOf(application),
    redirectUri: oidc?.redirectUris[0] ?? (kind === 'api' ? '' : DEFAULTS[kind].example),
    postLogoutRedirectUri: oidc?.postLogoutRedirectUris[0] ?? '',
  }
  return (
    <DetailPage
      key={applicationId}
      title={application.name}
      subtitle={`${t.kinds[kind].name} · ${publicIdOf(application)}`}
      badge={
        <>
          <ActiveBadge isActive={application.state === ApplicationState.ACTIVE} />
          <ClientKind kind={application.agentClientKind} />
        </>
      }
      parent={{ to: `/projects/${projectId}`, label: owner.data?.project?.name ?? t.project }}
      notice={
        <RefusedRequests
          application={application}
          mayWrite={mayWrite}
          onAdded={(uri) => setAdded((before) => [...before, uri])}
        />
      }
      tabs={[
        isPrepared &&
          started && {
            value: 'start',
            label: t.tabs.start,
            content: <GetStarted started={started} mayTry={mayWrite} />,
          },
        {
          value: 'settings',
          label: t.tabs.settings,
          content:
            configuration.case === 'oidcConfiguration' ? (
              <>
                <OidcTab
                  // Anew after a URI was added beside it, which it would take away again.
                  key={configuration.value.redirectUris.filter((uri) => added.includes(uri)).join(' ')}
                  application={application}
                  config={configuration.value}
                  mayWrite={mayWrite && isPrepared}
                />
                {isPrepared && <ApiAccessSection application={application} place={place} />}
              </>
            ) : configuration.case === 'samlConfiguration' ? (
              <SamlTab application={application} config={configuration.value} mayWrite={mayWrite} />
            ) : (
              <ApiTab application={application} mayWrite={mayWrite} />
            ),
        },
        can('session.read', place) &&
          kind !== 'api' && {
            value: 'activity',
            label: t.tabs.activity,
            content: <SignInActivity scope={{ applicationId }} />,
          },
        (hasSecret(application) || hasKeys(application)) && {
          value: 'credentials',
          label: t.tabs.credentials,
          content: <CredentialsTab application={application} mayWrite={mayWrite} />,
        },
        (mayWrite || mayRemove) && {
          value: 'danger',
          label: t.tabs.danger,
          content: <DangerTab application={application} mayWrite={mayWrite} mayRemove={mayRemove} />,
        },
      ]}
    />
  )
}
