// Written by tools/generate.ts: every service of the contract, in the order of their names.
import type { DescService } from '@bufbuild/protobuf';
import { Health as grpc_health_v1_Health } from './grpc/health/v1/health_pb.ts';
import { ServerReflection as grpc_reflection_v1_ServerReflection } from './grpc/reflection/v1/reflection_pb.ts';
import { ServerReflection as grpc_reflection_v1alpha_ServerReflection } from './grpc/reflection/v1alpha/reflection_pb.ts';
import { ActionService as signet_action_v2_ActionService } from './signet/action/v2/action_service_pb.ts';
import { AdminService as signet_admin_v1_AdminService } from './signet/admin/v1/admin_pb.ts';
import { AgentAccessService as signet_application_v2_AgentAccessService } from './signet/application/v2/agent_access_service_pb.ts';
import { ApplicationService as signet_application_v2_ApplicationService } from './signet/application/v2/application_service_pb.ts';
import { AuthService as signet_auth_v1_AuthService } from './signet/auth/v1/auth_pb.ts';
import { AuthorizationService as signet_authorization_v2_AuthorizationService } from './signet/authorization/v2/authorization_service_pb.ts';
import { DirectorySyncService as signet_directory_sync_v1_DirectorySyncService } from './signet/directory_sync/v1/directory_sync_service_pb.ts';
import { ManagedUserService as signet_directory_sync_v1_ManagedUserService } from './signet/directory_sync/v1/managed_user_service_pb.ts';
import { EventService as signet_event_v1_EventService } from './signet/event/v1/event_service_pb.ts';
import { FeatureService as signet_feature_v2_FeatureService } from './signet/feature/v2/feature_service_pb.ts';
import { GroupService as signet_group_v2_GroupService } from './signet/group/v2/group_service_pb.ts';
import { IdentityProviderService as signet_idp_v2_IdentityProviderService } from './signet/idp/v2/idp_service_pb.ts';
import { InstanceService as signet_instance_v2_InstanceService } from './signet/instance/v2/instance_service_pb.ts';
import { InternalPermissionService as signet_internal_permission_v2_InternalPermissionService } from './signet/internal_permission/v2/internal_permission_service_pb.ts';
import { MailService as signet_mail_v1_MailService } from './signet/mail/v1/mail_service_pb.ts';
import { ManagementService as signet_management_v1_ManagementService } from './signet/management/v1/management_pb.ts';
import { MonitoringService as signet_monitoring_v1_MonitoringService } from './signet/monitoring/v1/monitoring_service_pb.ts';
import { OIDCService as signet_oidc_v2_OIDCService } from './signet/oidc/v2/oidc_service_pb.ts';
import { OrganizationService as signet_org_v2_OrganizationService } from './signet/org/v2/org_service_pb.ts';
import { ProjectService as signet_project_v2_ProjectService } from './signet/project/v2/project_service_pb.ts';
import { SAMLService as signet_saml_v2_SAMLService } from './signet/saml/v2/saml_service_pb.ts';
import { SessionService as signet_session_v2_SessionService } from './signet/session/v2/session_service_pb.ts';
import { SettingsService as signet_settings_v2_SettingsService } from './signet/settings/v2/settings_service_pb.ts';
import { SignInService as signet_sign_in_v1_SignInService } from './signet/sign_in/v1/sign_in_service_pb.ts';
import { SignalService as signet_signal_v1_SignalService } from './signet/signal/v1/signal_service_pb.ts';
import { SystemService as signet_system_v1_SystemService } from './signet/system/v1/system_service_pb.ts';
import { UserService as signet_user_v2_UserService } from './signet/user/v2/user_service_pb.ts';
import { WebhookService as signet_webhook_v1_WebhookService } from './signet/webhook/v1/webhook_service_pb.ts';
import { WebKeyService as signet_webkey_v2_WebKeyService } from './signet/webkey/v2/webkey_service_pb.ts';

export const services: readonly DescService[] = [
  grpc_health_v1_Health,
  grpc_reflection_v1_ServerReflection,
  grpc_reflection_v1alpha_ServerReflection,
  signet_action_v2_ActionService,
  signet_admin_v1_AdminService,
  signet_application_v2_AgentAccessService,
  signet_application_v2_ApplicationService,
  signet_auth_v1_AuthService,
  signet_authorization_v2_AuthorizationService,
  signet_directory_sync_v1_DirectorySyncService,
  signet_directory_sync_v1_ManagedUserService,
  signet_event_v1_EventService,
  signet_feature_v2_FeatureService,
  signet_group_v2_GroupService,
  signet_idp_v2_IdentityProviderService,
  signet_instance_v2_InstanceService,
  signet_internal_permission_v2_InternalPermissionService,
  signet_mail_v1_MailService,
  signet_management_v1_ManagementService,
  signet_monitoring_v1_MonitoringService,
  signet_oidc_v2_OIDCService,
  signet_org_v2_OrganizationService,
  signet_project_v2_ProjectService,
  signet_saml_v2_SAMLService,
  signet_session_v2_SessionService,
  signet_settings_v2_SettingsService,
  signet_sign_in_v1_SignInService,
  signet_signal_v1_SignalService,
  signet_system_v1_SystemService,
  signet_user_v2_UserService,
  signet_webhook_v1_WebhookService,
  signet_webkey_v2_WebKeyService,
];
