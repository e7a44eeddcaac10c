/** The sentences of the page for requests on the back channel, in Spanish. */

export const approvalTexts = {
  approvals: {
    title: 'Solicitudes que requieren su aprobación',
    none: 'No hay nada pendiente de su aprobación.',
    waiting: (count: number) => `Aplicaciones a la espera de su aprobación: ${count}`,
    review: 'Revisar',
    asks: (name: string) => `${name} solicita su aprobación`,
    lead: (userName: string) => `Solicita lo siguiente con su cuenta ${userName}:`,
    message: 'Mensaje de la aplicación',
    until: 'Caduca',
    warning: 'Apruebe solo si espera esta solicitud y el mensaje es el que le muestra la aplicación.',
    approve: 'Aprobar',
    withPasskey: 'Aprobar con una llave de acceso',
    proof: 'Para aprobar, confirme que es usted.',
    refuse: 'Rechazar',
    approved: 'Aprobado',
    approvedText: 'La aplicación ya puede continuar. Puede cerrar esta página.',
    refused: 'Rechazado',
    refusedText: 'La aplicación no obtiene nada.',
    gone: 'Esta solicitud ya no está pendiente',
    goneText: 'Ha caducado, se ha retirado o ya se ha decidido.',
    noFactor: 'Para aprobar solicitudes, añada primero una llave de acceso o configure la verificación en dos pasos.',
    setUp: 'Configurar',
  },
}
