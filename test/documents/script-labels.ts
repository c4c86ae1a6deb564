import type { Label } from '../../src/documents/label.ts'
import { LABEL } from './label-examples.ts'

/** A customer's input: their name, and "Please leave it at the door. Don't ring: the baby sleeps (unit 3B)." */
type Written = { name: string; instructions: string }

/**
 * One in each script that many people in Australia write, as a shop would send it, with the street in Latin letters.
 */
export const WRITTEN: Readonly<Record<string, Written>> = {
  Chinese: {
    name: '欧阳晓明',
    instructions: '请放在门口，不要按门铃，宝宝在睡觉（3B单元）。电话：0491 570 157，谢谢！',
  },
  'Chinese, traditional': {
    name: '陳曉曄',
    instructions: '請放在門口，不要按門鈴，寶寶在睡覺（3B單元）。謝謝！',
  },
  Japanese: {
    name: '髙橋さくら',
    instructions: '玄関の前に置いてください。赤ちゃんが寝ているので、チャイムは鳴らさないで（3B号室）。',
  },
  Korean: {
    name: '김민준',
    instructions: '문 앞에 놓아 주세요. 아기가 자고 있으니 초인종을 누르지 마세요 (3B호).',
  },
  Arabic: {
    name: 'محمد عبد الله الحسيني',
    instructions: 'من فضلك اترك الطرد عند الباب. لا تقرع الجرس، الطفل نائم (شقة 3B). الهاتف: 0491 570 157.',
  },
  Hebrew: {
    name: 'שרה כהן־לוי',
    instructions: 'נא להשאיר ליד הדלת. לא לצלצל בפעמון, התינוק ישן (דירה 3B). תודה!',
  },
  Persian: {
    name: 'پگاه گل‌محمدی',
    instructions: 'لطفاً بسته را پشت در بگذارید. زنگ نزنید، بچه خوابیده است (واحد ۳). می‌خواهم صبح برسد؟',
  },
  Thai: {
    name: 'สมชาย ใจดีปั้น',
    instructions: 'กรุณาวางไว้หน้าประตู ไม่ต้องกดกริ่ง น้องกำลังหลับอยู่ (ห้อง 3B) ขอบคุณที่ช่วยดูแลให้ครับ',
  },
  Khmer: {
    name: 'សុខ ស្រីមុំ',
    instructions: 'សូមទុកនៅមុខទ្វារ។ កុំចុចកណ្ដឹង កូនកំពុងគេង (បន្ទប់ 3B)។ អរគុណច្រើន!',
  },
  Lao: {
    name: 'ສົມພອນ ວົງສາ',
    instructions: 'ກະລຸນາວາງໄວ້ໜ້າປະຕູ ຢ່າກົດກະດິ່ງ ແອນ້ອຍກຳລັງນອນຢູ່ (ຫ້ອງ 3B). ຂອບໃຈຫຼາຍໆ!',
  },
  Burmese: {
    name: 'အောင်ဆန်း ကြွယ်ဝ',
    instructions: 'တံခါးရှေ့မှာ ထားခဲ့ပါ။ ခေါင်းလောင်းမတီးပါနဲ့၊ ကလေးအိပ်နေတယ် (အခန်း 3B)။ ကျေးဇူးတင်ပါတယ်။',
  },
  Hindi: {
    name: 'प्रिया श्रीवास्तव',
    instructions: 'कृपया दरवाज़े पर छोड़ दें। घंटी न बजाएँ, बच्चा सो रहा है (यूनिट 3B)। धन्यवाद!',
  },
  Tamil: {
    name: 'தமிழ்ச்செல்வி கிருஷ்ணன்',
    instructions: 'தயவுசெய்து கதவருகே வைக்கவும். மணி அடிக்க வேண்டாம், குழந்தை தூங்குகிறது (அறை 3B). நன்றி!',
  },
  Bengali: {
    name: 'প্রিয়াঙ্কা চট্টোপাধ্যায়',
    instructions: 'অনুগ্রহ করে দরজার সামনে রেখে যান। বেল বাজাবেন না, বাচ্চা ঘুমাচ্ছে (ইউনিট 3B)। ধন্যবাদ!',
  },
  Punjabi: {
    name: 'ਗੁਰਪ੍ਰੀਤ ਸਿੰਘ ਢਿੱਲੋਂ',
    instructions: 'ਕਿਰਪਾ ਕਰਕੇ ਦਰਵਾਜ਼ੇ ਅੱਗੇ ਰੱਖ ਦਿਓ। ਘੰਟੀ ਨਾ ਵਜਾਓ, ਬੱਚਾ ਸੌਂ ਰਿਹਾ ਹੈ (ਯੂਨਿਟ 3B)। ਧੰਨਵਾਦ!',
  },
  Gujarati: {
    name: 'પ્રિયા બ્રહ્મભટ્ટ',
    instructions: 'કૃપા કરીને દરવાજા પાસે મૂકો. ઘંટડી વગાડશો નહીં, બાળક સૂઈ રહ્યું છે (યુનિટ 3B). આભાર!',
  },
  Telugu: {
    name: 'శ్రీనివాస్ కృష్ణమూర్తి',
    instructions: 'దయచేసి తలుపు దగ్గర పెట్టండి. గంట మోగించవద్దు, పాప నిద్రపోతోంది (యూనిట్ 3B). ధన్యవాదాలు!',
  },
  Sinhala: {
    name: 'නිමාලි ශ්‍රී වික්‍රමසිංහ',
    instructions: 'කරුණාකර දොර ළඟ තබන්න. සීනුව නාද නොකරන්න, දරුවා නිදි (ඒකකය 3B). බොහොම ස්තූතියි!',
  },
  Amharic: {
    name: 'አበበ ቢቂላ',
    instructions: 'እባክዎ በሩ ላይ ያስቀምጡት። ደወል አይደውሉ፣ ልጁ ተኝቷል (ክፍል 3B)። አመሰግናለሁ!',
  },
  Greek: {
    name: 'Γιώργος Παπαδόπουλος',
    instructions:
      'Παρακαλώ αφήστε το στην πόρτα. Μη χτυπήσετε το κουδούνι, το μωρό κοιμάται (διαμ. 3B). Ευχαριστώ!',
  },
  Russian: {
    name: 'Дмитрий Щербаков',
    instructions: 'Пожалуйста, оставьте у двери. Не звоните: ребёнок спит (кв. 3Б) — «спасибо»!',
  },
  Vietnamese: {
    name: 'Nguyễn Thị Hường',
    instructions: 'Vui lòng để trước cửa. Đừng bấm chuông, em bé đang ngủ (căn hộ 3B). Cảm ơn nhiều ạ!',
  },
  Georgian: {
    name: 'გიორგი ჭავჭავაძე',
    instructions: 'გთხოვთ, დატოვოთ კართან. ზარი არ დარეკოთ, ბავშვს სძინავს (ბინა 3B). გმადლობთ!',
  },
  Armenian: {
    name: 'Արմեն Պետրոսյան',
    instructions: 'Խնդրում եմ թողնել դռան մոտ։ Մի՛ զանգեք, երեխան քնած է (բն. 3B)։ Շնորհակալություն՜',
  },
}

export function labelWritten({ name, instructions }: Written): Label {
  return { ...LABEL, to: { ...LABEL.to, name }, specialInstructions: instructions }
}
