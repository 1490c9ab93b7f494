# Portico: guest Wi-Fi for RouterOS 7.18 or later. Paste it into a terminal; it may be pasted again.
# Take away what an earlier run made
/system scheduler remove [find where name="portico"]
/ip hotspot remove [find where name="portico"]
/ip hotspot profile remove [find where name="portico"]
/ip hotspot walled-garden remove [find where comment="portico"]
/ip hotspot walled-garden ip remove [find where comment="portico"]
/ip hotspot walled-garden ip remove [find where comment="portico-open"]
/ip dhcp-server network remove [find where comment="portico"]
/ip dhcp-server remove [find where name="portico"]
/ip dhcp-server option remove [find where name="portico"]
/ip pool remove [find where name="portico"]
/ip address remove [find where comment="portico"]
/interface bridge port remove [find where comment="portico"]
/interface bridge remove [find where name="portico"]
/ip firewall nat remove [find where comment="portico"]
/ip firewall filter remove [find where comment="portico"]
/radius remove [find where comment="portico"]
/system logging remove [find where action="portico"]
/system logging action remove [find where name="portico"]

# The name this router is known by
/system identity set name="k3v9x2mqab7c"

# The guests’ network
/interface bridge add name="portico" comment="portico"
/interface bridge port remove [find where interface="ether2"]
/interface bridge port add bridge="portico" interface="ether2" comment="portico"
/interface bridge port remove [find where interface="wlan 1"]
/interface bridge port add bridge="portico" interface="wlan 1" comment="portico"
/ip address add address=10.5.50.1/24 interface="portico" comment="portico"
/ip pool add name="portico" ranges=10.5.50.2-10.5.50.254
/ip dhcp-server option add name="portico" code=114 value="'https://wifi.example.com/captive/k3v9x2mqab7c'"
/ip dhcp-server network add address=10.5.50.0/24 gateway=10.5.50.1 dns-server=10.5.50.1 dhcp-option="portico" comment="portico"
/ip dhcp-server add name="portico" interface="portico" address-pool="portico" lease-time=1h disabled=no
/ip dns set allow-remote-requests=yes
/ip firewall filter add chain=input in-interface="ether1" protocol=udp dst-port=53 action=drop comment="portico"
/ip firewall filter add chain=input in-interface="ether1" protocol=tcp dst-port=53 action=drop comment="portico"
/ip firewall nat add chain=srcnat src-address=10.5.50.0/24 out-interface="ether1" action=masquerade comment="portico"

# Sign-in and accounting
/radius add service=hotspot address=[:resolve "panel.example.com"] secret="a-secret-of-thirty-two-letters-xx" authentication-port=1812 accounting-port=1813 timeout=3s require-message-auth=yes-for-request-resp comment="portico"
/radius incoming set accept=yes port=3799
/ip firewall filter add chain=input protocol=udp dst-port=3799 src-address=[:resolve "panel.example.com"] action=accept comment="portico"
/ip hotspot profile add name="portico" hotspot-address=10.5.50.1 login-by=http-pap use-radius=yes radius-accounting=yes radius-interim-update=received html-directory="portico"
/ip hotspot add name="portico" interface="portico" address-pool="portico" profile="portico" addresses-per-mac=2 disabled=no

# The portal is open to guests before they sign in
/ip hotspot walled-garden add dst-host="wifi.example.com" action=allow comment="portico"
/ip hotspot walled-garden ip add dst-host="wifi.example.com" action=accept comment="portico"

# The pages of the hotspot, which lead to the portal
:if ([:len [/file find where name="flash"]] = 0) do={ /tool fetch url="https://panel.example.com/v1/device/login-file/k3v9x2mqab7c.1893456000.signature\?page=login" dst-path="portico/login.html" }
:if ([:len [/file find where name="flash"]] > 0) do={ /tool fetch url="https://panel.example.com/v1/device/login-file/k3v9x2mqab7c.1893456000.signature\?page=login" dst-path="flash/portico/login.html" }
:if ([:len [/file find where name="flash"]] = 0) do={ /tool fetch url="https://panel.example.com/v1/device/login-file/k3v9x2mqab7c.1893456000.signature\?page=alogin" dst-path="portico/alogin.html" }
:if ([:len [/file find where name="flash"]] > 0) do={ /tool fetch url="https://panel.example.com/v1/device/login-file/k3v9x2mqab7c.1893456000.signature\?page=alogin" dst-path="flash/portico/alogin.html" }
:if ([:len [/file find where name="flash"]] = 0) do={ /tool fetch url="https://panel.example.com/v1/device/login-file/k3v9x2mqab7c.1893456000.signature\?page=status" dst-path="portico/status.html" }
:if ([:len [/file find where name="flash"]] > 0) do={ /tool fetch url="https://panel.example.com/v1/device/login-file/k3v9x2mqab7c.1893456000.signature\?page=status" dst-path="flash/portico/status.html" }
:if ([:len [/file find where name="flash"]] = 0) do={ /tool fetch url="https://panel.example.com/v1/device/login-file/k3v9x2mqab7c.1893456000.signature\?page=logout" dst-path="portico/logout.html" }
:if ([:len [/file find where name="flash"]] > 0) do={ /tool fetch url="https://panel.example.com/v1/device/login-file/k3v9x2mqab7c.1893456000.signature\?page=logout" dst-path="flash/portico/logout.html" }
:if ([:len [/file find where name="flash"]] = 0) do={ /tool fetch url="https://panel.example.com/v1/device/login-file/k3v9x2mqab7c.1893456000.signature\?page=error" dst-path="portico/error.html" }
:if ([:len [/file find where name="flash"]] > 0) do={ /tool fetch url="https://panel.example.com/v1/device/login-file/k3v9x2mqab7c.1893456000.signature\?page=error" dst-path="flash/portico/error.html" }
:if ([:len [/file find where name="flash"]] > 0) do={ /ip hotspot profile set [find where name="portico"] html-directory="flash/portico" }

# Orders from the panel, fetched every minute
/system scheduler add name="portico" interval=1m start-time=startup policy=ftp,read,write,test on-event=":local left 20; :local version [/system resource get version]; :set version [:pick \$version 0 [:find (\$version . \" \") \" \"]]; :while (\$left > 0) do={ :local got [/tool fetch url=(\"https://panel.example.com/v1/device/poll/k3v9x2mqab7c\\\?version=\" . \$version) http-header-field=\"x-portico-token: a-token-of-forty-three-characters-0123456789\" output=user as-value]; :local code (\$got->\"data\"); :if ([:len \$code] = 0) do={ :set left 0 } else={ :set left (\$left - 1); :local run [:parse \$code]; \$run } }" comment="portico"

# The record that the law asks for
/system logging action add name="portico" target=remote remote=[:resolve "panel.example.com"] remote-port=5514 remote-log-format=syslog
/system logging add topics=firewall action="portico" prefix="k3v9x2mqab7c"
/system logging add topics=dhcp action="portico" prefix="k3v9x2mqab7c"
/system logging add topics=web-proxy action="portico" prefix="k3v9x2mqab7c"
/system logging add topics=dns action="portico" prefix="k3v9x2mqab7c"
/ip firewall filter add chain=forward in-interface="portico" dst-address=[:resolve "panel.example.com"] protocol=udp dst-port=1812,1813,5514 action=drop comment="portico"
/ip firewall filter add chain=forward in-interface="portico" dst-address=[:resolve "panel.example.com"] protocol=tcp dst-port=5514 action=drop comment="portico"
/ip firewall filter add chain=forward connection-state=new src-address=10.5.50.0/24 action=log log-prefix="fw" comment="portico"
:do { :local mine [/ip firewall filter find where chain=forward and comment="portico"]; :local others [/ip firewall filter find where chain=forward and comment!="portico" and dynamic=no]; :if ([:len $others] > 0) do={ /ip firewall filter move $mine destination=($others->0) } }
:do { :local mine [/ip firewall filter find where chain=input and comment="portico"]; :local others [/ip firewall filter find where chain=input and comment!="portico" and dynamic=no]; :if ([:len $others] > 0) do={ /ip firewall filter move $mine destination=($others->0) } }

:log info "Portico is set up"
