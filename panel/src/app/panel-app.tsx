export function PanelApp() { return <p>panel</p>; }
