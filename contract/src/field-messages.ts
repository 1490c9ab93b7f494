/** The messages at fields. Our own rules name their message by key; issues of zod are mapped in validation.ts. */
export const messages = {
  required: { en: 'This field is required.', tr: 'Bu alan zorunludur.' },
  question_empty: {
    en: 'Question {question} of the survey “{survey}” is incomplete: the question and each answer need a text in at least one language, and a question with faces needs a face.',
    tr: '“{survey}” anketinin {question}. sorusu tamamlanmamış: soru ve yanıtlarının her biri en az bir dilde yazılmış, yüzlü soruda en az bir yüz seçilmiş olmalı.',
  },
  invalid: { en: 'This value is not valid.', tr: 'Bu değer geçerli değil.' },
  choice: { en: 'Choose one of: {values}.', tr: 'Şunlardan birini seçin: {values}.' },
  email: { en: 'Enter a valid e-mail address.', tr: 'Geçerli bir e-posta adresi girin.' },
  url: { en: 'This is not a valid web address.', tr: 'Geçerli bir web adresi girin.' },
  ipv4: { en: 'This is not a valid IPv4 address.', tr: 'Geçerli bir IPv4 adresi girin.' },
  number: { en: 'Enter a number.', tr: 'Bir sayı girin.' },
  integer: { en: 'Enter a whole number.', tr: 'Tam sayı girin.' },
  string_min: { en: 'Enter at least {limit} characters.', tr: 'En az {limit} karakter girin.' },
  string_max: { en: 'Enter at most {limit} characters.', tr: 'En fazla {limit} karakter girin.' },
  number_min: { en: 'Must be at least {limit}.', tr: 'En az {limit} olmalı.' },
  number_max: { en: 'Must be at most {limit}.', tr: 'En fazla {limit} olmalı.' },
  list_min: { en: 'Choose at least {limit}.', tr: 'En az {limit} tane seçin.' },
  list_max: { en: 'Choose at most {limit}.', tr: 'En fazla {limit} tane olabilir.' },
  two_decimals: { en: 'Use at most two decimals.', tr: 'En fazla iki ondalık basamak kullanın.' },
  multiple: { en: 'Must be a multiple of {step}.', tr: '{step} sayısının katı olmalı.' },
  limit_range: { en: 'Must be between {min} and {max}.', tr: '{min} ile {max} arasında olmalı.' },
  ip_address: { en: 'Enter an IPv4 or IPv6 address.', tr: 'Bir IPv4 veya IPv6 adresi girin.' },
  more_of_address: {
    en: 'Too many sessions match. Enter more of the address, or choose a shorter period.',
    tr: 'Çok fazla oturum eşleşiyor. Adresin daha uzun bir kısmını girin veya daha kısa bir dönem seçin.',
  },
  guest_address: {
    en: 'Enter an IPv4 or IPv6 address, or an IPv6 prefix from /32.',
    tr: 'Bir IPv4 veya IPv6 adresi ya da /32 veya daha uzun bir IPv6 öneki girin.',
  },
  radius_secret: {
    en: 'Use 16 to 64 letters, digits and signs without spaces.',
    tr: 'Boşluk olmadan 16-64 harf, rakam ve işaret kullanın.',
  },
  source_address: {
    en: 'Enter an IP address or a network such as 203.0.113.0/24.',
    tr: 'Bir IP adresi ya da 203.0.113.0/24 gibi bir ağ girin.',
  },
  source_prefix: {
    en: 'The network is too large: at least /20 for IPv4, /48 for IPv6.',
    tr: 'Ağ çok büyük: IPv4 için en az /20, IPv6 için en az /48.',
  },
  login_host: {
    en: 'Enter an address or a name on the local network of the device.',
    tr: 'Cihazın yerel ağından bir adres ya da ad girin.',
  },
  too_many_languages: {
    en: 'There are too many languages. Remove one first.',
    tr: 'Çok fazla dil var. Önce birini kaldırın.',
  },
  too_many_hosts: {
    en: 'This device has too many sign-in pages. Enter its hotspot address in its settings instead.',
    tr: 'Bu cihazın çok fazla giriş sayfası var. Bunun yerine ayarlarına hotspot adresini girin.',
  },
  too_many_proxies: {
    en: 'There are too many RADIUS proxies. Delete one first.',
    tr: 'Çok fazla RADIUS vekili var. Önce birini silin.',
  },
  too_many_sources: {
    en: 'This device has too many trusted addresses. Remove one first.',
    tr: 'Bu cihazın çok fazla güvenilen adresi var. Önce birini kaldırın.',
  },
  mac_format: {
    en: 'Enter a MAC address such as A1:B2:C3:D4:E5:F6.',
    tr: 'A1:B2:C3:D4:E5:F6 biçiminde bir MAC adresi girin.',
  },
  serial_format: { en: 'Use letters, digits and hyphens only.', tr: 'Yalnızca harf, rakam ve tire kullanın.' },
  host_format: { en: 'Enter a host name or an IP address.', tr: 'Bir alan adı veya IP adresi girin.' },
  phone_format: { en: 'Enter a phone number.', tr: 'Bir telefon numarası girin.' },
  password_match: { en: 'The passwords do not match.', tr: 'İki parola birbirinden farklı.' },
  color_format: { en: 'Enter a colour such as #2f71f2.', tr: '#2f71f2 biçiminde bir renk girin.' },
  citizen_id_format: {
    en: 'This is not a valid Turkish identity number.',
    tr: 'Geçerli bir T.C. kimlik numarası girin.',
  },
  time_zone: { en: 'Unknown time zone.', tr: 'Bilinen bir saat dilimi değil.' },
  after_start: { en: 'The end must be after the start.', tr: 'Bitiş, başlangıçtan sonra olmalı.' },
  period_long: { en: 'Choose a shorter period for this interval.', tr: 'Bu aralık için daha kısa bir dönem seçin.' },
  secret_format: {
    en: 'Use 8 to 64 letters, digits, hyphens or underscores.',
    tr: '8 ile 64 arasında harf, rakam, tire veya alt çizgi kullanın.',
  },
  overlap: { en: 'This overlaps with the network {name}.', tr: 'Bu aralık {name} ağıyla çakışıyor.' },
  subnet: {
    en: 'Enter a mask such as 24, /24 or 255.255.255.0.',
    tr: '24, /24 veya 255.255.255.0 gibi bir maske girin.',
  },
  other_family: {
    en: 'A network stays IPv4 or IPv6. Add another network instead.',
    tr: 'Bir ağ IPv4 veya IPv6 olarak kalır. Bunun yerine yeni bir ağ ekleyin.',
  },
  connection_failed: { en: 'Connection failed: {words}.', tr: 'Bağlantı kurulamadı: {words}.' },
  choose_kind: { en: 'Choose an integration type.', tr: 'Bir entegrasyon türü seçin.' },
  one_per_location: { en: 'This location already has one.', tr: 'Bu lokasyonda zaten bir tane var.' },
  secret_again: {
    en: 'The address changed. Enter this again.',
    tr: 'Adres değişti: bunu yeniden girin.',
  },
  other_brand: { en: 'This is for another device brand.', tr: 'Bu, başka bir cihaz markası içindir.' },
  interface_format: {
    en: 'Enter an interface name such as ether1 or bridge-guests.',
    tr: 'ether1 veya bridge-misafir gibi bir arayüz adı girin.',
  },
  gateway_overlap: { en: 'This address is in the guest subnet.', tr: 'Bu adres misafirlerin alt ağında kalıyor.' },
  outside_subnet: { en: 'This address is not in the subnet.', tr: 'Bu adres alt ağın içinde değil.' },
  gateway_among_guests: {
    en: 'The internet interface cannot be a guest interface.',
    tr: 'İnternete çıkan arayüz misafir arayüzlerinden biri olamaz.',
  },
  date: { en: 'This is not a valid date.', tr: 'Geçerli bir tarih değil.' },
  future: { en: 'This must not be in the future.', tr: 'Bu zaman henüz gelmedi.' },
  past: { en: 'This day has passed.', tr: 'Bu tarih geçmiş.' },
  end_or_years: {
    en: 'Enter an end or a number of years, not both.',
    tr: 'Bitiş tarihi ya da yıl sayısı girin; ikisi birden olmaz.',
  },
  taken: { en: 'This is already in use.', tr: 'Bu değer zaten kullanılıyor.' },
  twice: { en: 'Each entry may appear once only.', tr: 'Her kayıt yalnızca bir kez yer alabilir.' },
  stays_in_location: { en: 'This stays in its location.', tr: 'Bu kayıt kendi lokasyonunda kalır.' },
  unknown: { en: 'This does not exist.', tr: 'Böyle bir kayıt yok.' },
  selected_gone: {
    en: 'One of these was deleted meanwhile, or you may not change it. Nothing was changed. Select again.',
    tr: 'Seçilenlerden biri bu arada silinmiş ya da onu değiştiremezsiniz. Hiçbir şey değişmedi. Yeniden seçin.',
  },
  selected_missing: {
    en: 'One of these was deleted meanwhile, or you may no longer see it. Select again.',
    tr: 'Seçilenlerden biri bu arada silinmiş ya da onu artık göremezsiniz. Yeniden seçin.',
  },
  selected_ended: {
    en: 'These sessions have ended meanwhile.',
    tr: 'Bu oturumlar bu arada sona erdi.',
  },
  voucher_count: {
    en: 'Make at least one voucher, or let the desk hand them out.',
    tr: 'En az bir kupon oluşturun ya da bankonun vermesine izin verin.',
  },
  ids_or_all: {
    en: 'Name the vouchers, or send “all”: true for the whole batch.',
    tr: 'Kuponları belirtin ya da tüm grup için “all”: true gönderin.',
  },
  not_at_desk: { en: 'The desk does not hand out vouchers of this batch.', tr: 'Banko bu gruptan kupon vermiyor.' },
  printer_address: { en: 'This address is not allowed.', tr: 'Bu adrese bağlanmaya izin verilmiyor.' },
  printer_away: {
    en: 'The printer does not answer. Check that it is on and in the network, then print again.',
    tr: 'Yazıcı yanıt vermiyor. Açık ve ağa bağlı olduğunu denetleyip yeniden yazdırın.',
  },
  printer_paper: {
    en: 'The printer has no paper. Put a roll in, then print again.',
    tr: 'Yazıcıda kâğıt yok. Rulo takıp yeniden yazdırın.',
  },
  printer_cover: {
    en: 'The cover of the printer is open. Close it, then print again.',
    tr: 'Yazıcının kapağı açık. Kapatıp yeniden yazdırın.',
  },
  printer_failed: {
    en: 'The printer reports an error. Turn it off and on, then print again.',
    tr: 'Yazıcı hata bildiriyor. Kapatıp açın ve yeniden yazdırın.',
  },
  printer_stopped: {
    en: 'The printer stopped before the end. Look at what it printed, then print the rest again.',
    tr: 'Yazıcı sona varmadan durdu. Ne yazdırdığına bakın, kalanı yeniden yazdırın.',
  },
  wifi_password: {
    en: 'Enter 8 to 63 characters, or leave it empty for an open Wi-Fi.',
    tr: '8 ile 63 karakter girin ya da açık Wi-Fi için boş bırakın.',
  },
  wrong_code: { en: 'The code is wrong or no longer valid.', tr: 'Kod hatalı veya süresi dolmuş.' },
  several: {
    en: 'A customer of yours uses this id. Use our id instead.',
    tr: 'Bu kimliği bir müşteriniz kullanıyor. Bunun yerine bizim kimliğimizi kullanın.',
  },
  choose_location: { en: 'Choose a location first.', tr: 'Önce bir lokasyon seçin.' },
  plain_text: { en: 'Control characters are not allowed.', tr: 'Burada kontrol karakteri kullanılamaz.' },
  file_type: {
    en: 'Upload a PNG, JPEG, WebP or SVG image.',
    tr: 'PNG, JPEG, WebP veya SVG biçiminde bir görsel gönderin.',
  },
  link_empty: {
    en: 'Redirect link cannot be empty in this language.',
    tr: 'Bu dilde yönlendirme bağlantısı boş olamaz.',
  },
  link_format: {
    en: 'Redirect link must be written correctly.',
    tr: 'Yönlendirme bağlantısı doğru yazılmalıdır.',
  },
  https_link: {
    en: 'Enter an address that begins with https://.',
    tr: 'https:// ile başlayan bir adres girin.',
  },
  link_user: {
    en: 'Enter the address without a username and password.',
    tr: 'Adresi kullanıcı adı ve parola olmadan girin.',
  },
  clock_format: { en: 'Enter a time such as 18:30.', tr: '18:30 biçiminde bir saat girin.' },
  other_time: { en: 'Choose another time than the start.', tr: 'Başlangıçtan farklı bir saat seçin.' },
  language_tag: {
    en: 'Use the tag of a language, such as el, pt-BR or sr-Latn.',
    tr: 'Bir dil etiketi kullanın: örneğin el, pt-BR veya sr-Latn.',
  },
  language_shipped: { en: 'This language is in the list already.', tr: 'Bu dil listede zaten var.' },
  texts_long: { en: 'These texts are too long together.', tr: 'Bu metinler toplamda çok uzun.' },
  language_missing: { en: 'Add this language first.', tr: 'Önce bu dili ekleyin.' },
  placeholders: {
    en: 'Keep the words in braces as they are, such as {phone}.',
    tr: 'Süslü parantez içindeki sözcükleri olduğu gibi bırakın: örneğin {phone}.',
  },
  period_overlaps: {
    en: 'At this time another period shows a portal.',
    tr: 'Bu zamanda başka bir dönem bir portal gösteriyor.',
  },
  only_once: { en: 'There can be only one on a page.', tr: 'Bir sayfada yalnızca bir tane olabilir.' },
  embed_link: {
    en: 'Only pictures lead to a link. Remove the link, or choose pictures.',
    tr: 'Yalnızca görseller bir bağlantıya götürür. Bağlantıyı kaldırın ya da görselleri seçin.',
  },
  content_empty: {
    en: 'Content cannot be empty in this language.',
    tr: 'Bu dilde içerik boş olamaz.',
  },
  svg_active: {
    en: 'This SVG contains scripts, or links to other files. Export it as a plain SVG or as a PNG.',
    tr: 'Bu SVG betik içeriyor veya başka dosyalara bağlanıyor. Düz SVG ya da PNG olarak dışa aktarın.',
  },
  svg_effects: {
    en: 'This SVG contains filters, patterns or nested copies. Export it as a PNG.',
    tr: 'Bu SVG filtre, desen veya iç içe kopyalar içeriyor. PNG olarak dışa aktarın.',
  },
  picture_pixels: {
    en: 'The picture has more than 40 megapixels. Choose a smaller one.',
    tr: 'Görsel 40 megapikselden büyük. Daha küçük bir görsel seçin.',
  },
  picture_damaged: {
    en: 'The file is damaged or incomplete. Export the picture again.',
    tr: 'Dosya bozuk veya eksik. Görseli yeniden dışa aktarın.',
  },
  picture_heavy: {
    en: 'This image takes too long to render. Export it smaller, or as a PNG.',
    tr: 'Bu görselin çizimi çok uzun sürüyor. Daha küçük veya PNG olarak dışa aktarın.',
  },
  picture: { en: 'Upload the image here first.', tr: 'Önce görseli buradan yükleyin.' },
  css_syntax: { en: 'Line {line}: this is not valid CSS.', tr: '{line}. satır: bu geçerli bir CSS değil.' },
  css_at_rule: {
    en: 'Line {line}: {name} is not allowed like this. Use @media with a width or a colour scheme.',
    tr: '{line}. satır: {name} bu şekilde kullanılamaz. Genişlik veya renk düzeniyle @media kullanın.',
  },
  css_selector: {
    en: 'Line {line}: “{name}” is not a part of the page. Use the names from the list, such as .button.',
    tr: '{line}. satır: “{name}” sayfanın bir bölümü değil. Listedeki adları kullanın, örneğin .button.',
  },
  css_property: {
    en: 'Line {line}: the property {name} cannot be changed.',
    tr: '{line}. satır: {name} özelliği değiştirilemez.',
  },
  css_value: {
    en: 'Line {line}: {name} does not accept this value.',
    tr: '{line}. satır: {name} bu değeri kabul etmiyor.',
  },
  css_no_colour: {
    en: 'Line {line}: the colours of {name} follow the colours of the portal.',
    tr: '{line}. satır: {name} bölümünün renkleri portalın renklerine uyar.',
  },
  css_colour_pair: {
    en: 'Line {line}: set color and background-color together, once each.',
    tr: '{line}. satır: color ve background-color birlikte ve birer kez yazılmalı.',
  },
  css_contrast: {
    en: 'Line {line}: the contrast of the text is {ratio}:1; at least {needed}:1 is needed.',
    tr: '{line}. satır: yazının kontrastı {ratio}:1; en az {needed}:1 olmalı.',
  },
  embed_code: {
    en: 'Paste an embed code with an https iframe.',
    tr: 'https adresli bir çerçeve (iframe) içeren gömme kodu yapıştırın.',
  },
  portal_no_method: {
    en: 'Guests cannot sign in: no sign-in method is on.',
    tr: 'Misafirler giriş yapamaz: hiçbir giriş yöntemi açık değil.',
  },
  portal_method_not_given: {
    en: 'Guests cannot sign in: a location that shows this portal was given none of the methods that are on.',
    tr: 'Misafirler giriş yapamaz: bu portalı gösteren bir lokasyon için açık olan yöntemlerin hiçbiri tanımlı değil.',
  },
  portal_agreement_language: {
    en: 'An agreement has no text in some of the languages offered.',
    tr: 'Sözleşmelerden biri, sunulan dillerin bazılarında yazılmamış.',
  },
  mac_listed: { en: 'This MAC is already in the list.', tr: 'Bu MAC zaten listede.' },
  mac_also_blocked: {
    en: 'This MAC is also blocked. A block always wins.',
    tr: 'Bu MAC engellenenler arasında da var. Engel her zaman geçerli olur.',
  },
  mac_also_bypassed: {
    en: 'This MAC is also allowed. The block wins.',
    tr: 'Bu MAC izin verilenler arasında da var. Engel geçerli olur.',
  },
  macs_in_both: {
    en: 'Allowed and blocked at once: {macs}. The block wins while its list is on.',
    tr: 'Hem izin verilen hem engellenen cihazlar arasında: {macs}. Engel listesi açıkken engel geçerli olur.',
  },
  days_not_sold: {
    en: 'No days were sold: only a paid session profile sells days.',
    tr: 'Gün satılmadı: yalnızca ücretli oturum profilleri gün satar.',
  },
  unique: { en: 'Each may appear only once.', tr: 'Her biri yalnızca bir kez bulunabilir.' },
  file_field: {
    en: 'Send the file in the field “{name}”.',
    tr: 'Dosyayı “{name}” alanında gönderin.',
  },
  form_fields: { en: 'Send at most {limit} fields.', tr: 'En fazla {limit} alan gönderin.' },
  video_type: { en: 'Choose an MP4 or WebM video.', tr: 'MP4 ya da WebM türünde bir video seçin.' },
  file_size: { en: 'The file must not exceed {limit}.', tr: 'Dosya {limit} boyutunu aşamaz.' },
  pictures_full: {
    en: 'The images of all locations use up the limit of {limit}. Remove some: unused images are deleted after 7 days.',
    tr: 'Bütün lokasyonların görselleri {limit} yer kaplıyor, yenisine yer kalmadı. Bazılarını kaldırın; hiçbir yerde görünmeyenler 7 gün sonra silinir.',
  },
  pictures_full_here: {
    en: 'The images of this location use up the limit of {limit}. Remove some: unused images are deleted after 7 days.',
    tr: 'Bu lokasyonun görselleri {limit} yer kaplıyor, yenisine yer kalmadı. Bazılarını kaldırın; hiçbir yerde görünmeyenler 7 gün sonra silinir.',
  },
  already_member: { en: 'This person is already a member.', tr: 'Bu kişi zaten ekipte.' },
  already_invited: {
    en: 'This person has already been invited. Resend that invitation instead.',
    tr: 'Bu kişi zaten davet edilmiş. O davetiyeyi yeniden gönderin.',
  },
  tenant_role: {
    en: 'This person already has a role in the tenant settings.',
    tr: 'Bu kişinin bayi ayarlarında zaten bir rolü var.',
  },
  beyond_own: {
    en: 'You can only grant permissions that you have.',
    tr: 'Yalnızca kendi sahip olduğunuz yetkileri verebilirsiniz.',
  },
  role_name: {
    en: 'The name of this role cannot be changed.',
    tr: 'Bu rolün adı değiştirilemez.',
  },
  invited_password: {
    en: 'The invited person chooses the password. Yours was not kept.',
    tr: 'Parolayı davet edilen kişi belirler. Gönderdiğiniz parola saklanmadı.',
  },
  other_member: {
    en: 'This is not the e-mail of this administrator. Only its owner can change it.',
    tr: 'Bu, yöneticinin e-postası değil. E-postayı yalnızca sahibi değiştirebilir.',
  },
  invitation_email: {
    en: 'Use the e-mail address that received the invitation.',
    tr: 'Davet edilen e-posta adresini kullanın.',
  },
  common_password: {
    en: 'This password is too common. Choose another one.',
    tr: 'Bu parola çok yaygın. Başka bir parola seçin.',
  },
  network_list_empty: {
    en: 'Choose at least one network, or leave this out for every network.',
    tr: 'En az bir ağ seçin; bütün ağlar için bu alanı göndermeyin.',
  },
  device_list_empty: {
    en: 'Choose at least one device, or leave this out for every device.',
    tr: 'En az bir cihaz seçin; bütün cihazlar için bu alanı göndermeyin.',
  },
  wrong_password: { en: 'Wrong password.', tr: 'Parola hatalı.' },
  gradient_format: {
    en: 'Choose a colour, or a gradient of two colours.',
    tr: 'Bir renk ya da iki renkli bir geçiş seçin.',
  },
  domain_format: {
    en: 'Enter a host name such as wifi.example.com.',
    tr: 'wifi.example.com biçiminde bir alan adı girin.',
  },
  domain_reserved: {
    en: 'This host name is reserved for the installation.',
    tr: 'Bu alan adı kurulumun kendisine ait.',
  },
  csv_binary: {
    en: 'This is not a CSV file. Save the table as CSV first.',
    tr: 'Bu bir CSV dosyası değil. Tabloyu önce CSV olarak kaydedin.',
  },
  file_heavy: {
    en: 'Reading this file takes too much time or memory. Split it into smaller files.',
    tr: 'Bu dosyayı okumak çok fazla zaman veya bellek gerektiriyor. Dosyayı daha küçük dosyalara bölün.',
  },
  csv_quote: {
    en: 'The quotation mark opened in line {line} is never closed.',
    tr: '{line}. satırda açılan tırnak işareti kapanmıyor.',
  },
  csv_empty: {
    en: 'The file is empty: a header row and at least one line are needed.',
    tr: 'Dosya boş: bir başlık satırı ve en az bir satır gerekli.',
  },
  csv_rows: { en: 'A file may have at most {limit} lines.', tr: 'Bir dosyada en fazla {limit} satır olabilir.' },
  csv_column: { en: 'The column “{name}” is missing.', tr: '“{name}” sütunu eksik.' },
  csv_twice: { en: 'This value already appears in line {line}.', tr: 'Bu değer {line}. satırda da var.' },
  csv_line: { en: 'Line {line}, {column}: {message}', tr: '{line}. satır, {column}: {message}' },
  import_unknown_file: {
    en: 'This is no export of FreeRADIUS, daloRADIUS, RADIUSdesk, User Manager or UniFi.',
    tr: 'Bu dosya FreeRADIUS, daloRADIUS, RADIUSdesk, User Manager veya UniFi dışa aktarımı değil.',
  },
  import_empty: {
    en: 'The file has no usernames. Export the tables radcheck, radreply, radusergroup and userinfo.',
    tr: 'Dosyada kullanıcı adı yok. radcheck, radreply, radusergroup ve userinfo tablolarını dışa aktarın.',
  },
  import_quote: {
    en: 'The text that begins in line {line} never ends. The file may be cut off.',
    tr: '{line}. satırda başlayan metin bitmiyor. Dosya yarım kalmış olabilir.',
  },
  import_cut: { en: 'The file is cut off in line {line}.', tr: 'Dosya {line}. satırda yarım kalmış.' },
  import_line: { en: 'Line {line} is too long.', tr: '{line}. satır çok uzun.' },
  import_rows: {
    en: 'A file may have at most {limit} visitors.',
    tr: 'Bir dosyada en fazla {limit} ziyaretçi olabilir.',
  },
  import_no_password: { en: 'There is no password in the file.', tr: 'Dosyada parolası yok.' },
  import_form: {
    en: 'The password is stored as {form}, which cannot be checked at sign-in. Give this user a new password in the other program, or create the visitor by hand.',
    tr: 'Parola {form} biçiminde saklanmış; girişte denetlenemez. Bu kullanıcıya diğer programda yeni bir parola verin ya da ziyaretçiyi elle oluşturun.',
  },
  import_over: { en: 'It has ended in the other program.', tr: 'Diğer programda süresi dolmuş.' },
  import_exists: { en: 'A visitor with this username exists.', tr: 'Bu kullanıcı adına sahip bir ziyaretçi var.' },
  session_open: { en: 'The session has no end.', tr: 'Oturumun bitişi yok.' },
  session_dates: {
    en: 'Start and end are no times, lie in the future or are reversed.',
    tr: 'Başlangıç ve bitiş geçerli zaman değil, gelecekte ya da ters sırada.',
  },
  session_guest: { en: 'There is neither a username nor a MAC address.', tr: 'Ne kullanıcı adı ne MAC adresi var.' },
  session_old: {
    en: 'It ended before the retention period.',
    tr: 'Saklama süresinden önce sona ermiş.',
  },
  session_exists: { en: 'It was imported before.', tr: 'Daha önce aktarılmış.' },
  session_rows: {
    en: 'A file may have at most {limit} sessions.',
    tr: 'Bir dosyada en fazla {limit} oturum olabilir.',
  },
  session_none: {
    en: 'The file has no past sessions. Export the table radacct.',
    tr: 'Dosyada geçmiş oturum yok. radacct tablosunu dışa aktarın.',
  },
  session_columns: {
    en: 'The columns of radacct are not named. Export the table with its CREATE TABLE.',
    tr: 'radacct tablosunun sütun adları yok. Tabloyu CREATE TABLE ile dışa aktarın.',
  },
  part_place: { en: 'The next part begins at byte {at}.', tr: 'Sıradaki parça {at}. bayttan başlar.' },
  part_long: { en: 'The part is longer than the rest of the file.', tr: 'Parça, dosyanın kalanından uzun.' },
  import_space: {
    en: 'Files that are not imported yet take all the space. Delete one or wait.',
    tr: 'Henüz içe aktarılmamış dosyalar tüm yeri kaplıyor. Birini silin veya bekleyin.',
  },
  import_disk: {
    en: 'The server had no room for the file. Tell the operator of the server, then send it again.',
    tr: 'Sunucuda dosya için yer kalmadı. Sunucuyu işletene bildirin, sonra yeniden gönderin.',
  },
  import_unread: {
    en: 'The server could not read the file, in several attempts. Send it again later.',
    tr: 'Sunucu birkaç denemede dosyayı okuyamadı. Daha sonra yeniden gönderin.',
  },
  import_same: { en: 'The visitor is already like this.', tr: 'Ziyaretçi zaten bu durumda.' },
  import_paid_profile: {
    en: 'This session profile is paid per day. Choose one that is free.',
    tr: 'Bu oturum profili günlük ücretli. Ücretsiz bir profil seçin.',
  },
  no_receiver: {
    en: 'No reseller or administrator has this address.',
    tr: 'Bu adrese sahip bir bayi veya yönetici yok.',
  },
  has_it: { en: 'They already have this customer.', tr: 'Müşteri zaten onlarda.' },
  in_future: { en: 'Choose a time in the future.', tr: 'Gelecekte bir zaman seçin.' },
  end_changed: {
    en: 'The end has changed in the meantime. Nothing was added.',
    tr: 'Bitiş bu arada değişti. Hiçbir şey eklenmedi.',
  },
  days_changed: {
    en: 'The number of paid days has changed in the meantime. Nothing was added.',
    tr: 'Ücretli gün sayısı bu arada değişti. Hiçbir şey eklenmedi.',
  },
  paid_days: {
    en: 'This session profile is paid for by the day: enter at least one day, or an end date.',
    tr: 'Bu oturum profili günlük ücretlidir: en az bir gün ya da bir bitiş tarihi girin.',
  },
  paid_profile: {
    en: 'This session profile is paid for by the day. Choose it in the visitor’s form, together with the paid days.',
    tr: 'Bu oturum profili günlük ücretlidir. Ziyaretçi formunda, ücretli günlerle birlikte seçin.',
  },
  reverse_sale: {
    en: 'To remove sold days, reverse the sale.',
    tr: 'Satılan günler, satışın geri alınmasıyla düşülür.',
  },
  max_days: {
    en: 'The most days must not be fewer than the fewest.',
    tr: 'En çok gün sayısı en az gün sayısından küçük olamaz.',
  },
  profile_free: {
    en: 'This session profile has no price. Give it a price first.',
    tr: 'Bu oturum profilinin fiyatı yok. Önce bir fiyat verin.',
  },
  refund_instead: {
    en: 'This was bought online. Refund the purchase instead.',
    tr: 'Bu, internet üzerinden satın alındı. Bunun yerine satın almayı iade edin.',
  },
  test_payments_off: {
    en: 'The test provider is switched off on this installation.',
    tr: 'Test sağlayıcısı bu kurulumda kapalı.',
  },
  no_payment_account: {
    en: 'First add a payment provider for all locations under Integrations.',
    tr: 'Önce Entegrasyonlar altında tüm lokasyonlar için bir ödeme sağlayıcısı ekleyin.',
  },
  not_sold_online: {
    en: 'Licences can’t be paid online here. Send a request instead.',
    tr: 'Lisanslar burada internetten ödenemiyor. Bunun yerine talep gönderin.',
  },
  payment_unavailable: {
    en: 'The payment provider can’t be reached. Try again later.',
    tr: 'Ödeme sağlayıcısına ulaşılamıyor. Daha sonra yeniden deneyin.',
  },
  payment_begun: {
    en: 'This payment was begun in another window. Go on there, or try again in a moment.',
    tr: 'Bu ödeme başka bir pencerede başlatıldı. Orada devam edin ya da birazdan yeniden deneyin.',
  },
  licence_not_refundable: {
    en: 'This payment can’t be refunded: it is not paid, or was refunded before.',
    tr: 'Bu ödeme iade edilemez: yapılmamış ya da daha önce iade edilmiş.',
  },
  one_per_tenant: {
    en: 'There is already one for all locations.',
    tr: 'Tüm lokasyonlar için zaten bir tane var.',
  },
  not_refundable: {
    en: 'This purchase can’t be refunded: it is not paid, or was refunded before.',
    tr: 'Bu satın alma iade edilemez: ödenmemiş ya da daha önce iade edilmiş.',
  },
  refund_refused: {
    en: 'The payment provider refused the refund: {words}',
    tr: 'Ödeme sağlayıcısı iadeyi kabul etmedi: {words}',
  },
  sale_reversed: {
    en: 'All days of this sale are reversed already.',
    tr: 'Bu satışın bütün günleri zaten geri alınmış.',
  },
  sale_days: {
    en: 'At most {days} days of this sale can be reversed.',
    tr: 'Bu satıştan en çok {days} gün geri alınabilir.',
  },
  room_no_charge: {
    en: 'The hotel takes no charges to this visitor’s room in this currency.',
    tr: 'Otel bu ziyaretçinin odasına bu para biriminde harcama kabul etmiyor.',
  },
  room_no_price: {
    en: 'Only days of a paid profile can be charged to the room.',
    tr: 'Odaya yalnızca ücretli bir profilin günleri yazılabilir.',
  },
  charge_settled: {
    en: 'Only a charge that is unknown or refused can be settled.',
    tr: 'Yalnızca sonucu bilinmeyen veya reddedilen bir harcama sonuçlandırılabilir.',
  },
  no_end: {
    en: 'This visitor has no end date to extend. Enter a date instead.',
    tr: 'Bu ziyaretçinin uzatılacak bir bitişi yok. Bunun yerine bir tarih verin.',
  },
  none_has_end: {
    en: 'None of these visitors has an end date to extend. Enter a date instead.',
    tr: 'Bu ziyaretçilerin hiçbirinin uzatılacak bir bitişi yok. Bunun yerine bir tarih verin.',
  },
  username_there: {
    en: 'A visitor with this username, identity number or device already exists there.',
    tr: 'Orada bu kullanıcı adına, kimlik numarasına veya cihaza sahip bir ziyaretçi zaten var.',
  },
  events_not_readable: {
    en: 'You may not see what these events tell: {names}.',
    tr: 'Bu olayların bildirdiklerini görme yetkiniz yok: {names}.',
  },
  none_move_there: {
    en: 'None of these visitors can be moved. They are there already, or visitors there have the same username, identity number or device.',
    tr: 'Bu ziyaretçilerin hiçbiri taşınamıyor. Zaten oradalar veya orada aynı kullanıcı adına, kimlik numarasına ya da cihaza sahip ziyaretçiler var.',
  },
  none_take_profile: {
    en: 'None of these visitors can get this profile. They have it already, or have paid for no days.',
    tr: 'Bu profil bu ziyaretçilerin hiçbirine verilemiyor. Zaten bu profildeler veya ödenmiş günleri yok.',
  },
  sso_disabled: { en: 'Switch single sign-on on first.', tr: 'Önce tek oturum açmayı etkinleştirin.' },
  sso_mappings: {
    en: 'Give at least one group rights first.',
    tr: 'Önce en az bir gruba yetki verin.',
  },
  sso_untested: {
    en: 'Sign in through the provider once before you enforce it.',
    tr: 'Zorunlu kılmadan önce sağlayıcı üzerinden bir kez giriş yapın.',
  },
  sso_domain: {
    en: 'Prove the domain {name} first, under Domains.',
    tr: 'Önce {name} alan adını Alan adları altında doğrulayın.',
  },
  sso_emergency: {
    en: 'Choose a tenant administrator who has a password.',
    tr: 'Parolası olan bir bayi yöneticisi seçin.',
  },
  upload_first: { en: 'Upload the image first.', tr: 'Önce görseli yükleyin.' },
} as const;

export type MessageKey = keyof typeof messages;
